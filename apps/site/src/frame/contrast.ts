import { clampChroma, converter, formatHex, wcagContrast, type Oklch } from 'culori';

/** The contrast of WCAG 2 that text of any size needs (level AA). */
const leastContrast = 4.5;

const toOklch = converter('oklch');

/** Each step halves the distance: 12 are finer than the 256 steps of a colour in `#rrggbb`. */
const steps = 12;

/**
 * A colour with the hue of this one that is readable on each of these backgrounds: its lightness moves no
 * further than needed, and its chroma shrinks where the screen has no such colour.
 * @param grounds as `#rrggbb`; black or white must be readable on all of them
 * @returns `#rrggbb` with a contrast of at least 4.5:1 to each
 */
export function readableOn(grounds: readonly string[], color: string): string {
  const own = oklchOf(color);
  const hex = formatHex(own);
  if (isReadable(hex, grounds)) return hex;
  const end = inkOn(grounds);
  let best: string = end;
  let [bad, good] = [own.l, end === '#000000' ? 0 : 1];
  for (let step = 0; step < steps; step += 1) {
    const l = (bad + good) / 2;
    const tried = formatHex(clampChroma({ ...own, l }, 'oklch'));
    if (isReadable(tried, grounds)) [best, good] = [tried, l];
    else bad = l;
  }
  return best;
}

/** Black or white, by the higher contrast. On a single background it is at least 4.5:1. */
export function inkOn(grounds: readonly string[]): '#000000' | '#ffffff' {
  return lowest('#000000', grounds) > lowest('#ffffff', grounds) ? '#000000' : '#ffffff';
}

/** A colour with the hue of this one, and at most this chroma, at this lightness. */
export function shade(color: string, { l, c }: { l: number; c: number }): string {
  const own = oklchOf(color);
  return formatHex(clampChroma({ ...own, l, c: Math.min(own.c, c) }, 'oklch'));
}

/** The lightness of a colour in OKLCH, from 0 to 1. */
export function lightness(color: string): number {
  return oklchOf(color).l;
}

/** @throws Error for a text that is no colour; the contract admits none. */
function oklchOf(color: string): Oklch {
  const own = toOklch(color);
  if (!own) throw new Error(`${color} is not a colour.`);
  return own;
}

/** Whether a colour has a contrast of at least 4.5:1 to each background. */
export function isReadable(color: string, grounds: readonly string[]): boolean {
  return lowest(color, grounds) >= leastContrast;
}

function lowest(color: string, grounds: readonly string[]): number {
  return Math.min(...grounds.map((ground) => wcagContrast(color, ground)));
}
