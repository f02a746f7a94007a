import { codeThemeOf, type CodeTheme, type TokenClass } from '@bindery/render';
import { inkOn, isReadable, lightness, readableOn, shade } from './contrast.ts';
import type { Mode, Palette } from './palette.ts';

/** The theme of sites that chose none: it stands on the filled background of the site. */
const own: Record<Mode, Record<TokenClass, string> & { 'code-mark': string }> = {
  light: {
    'code-mark': '#fff8c5',
    't-comment': '#57606a',
    't-keyword': '#b91c2b',
    't-constant': '#0550ae',
    't-string': '#0a3069',
    't-tag': '#116329',
    't-function': '#6f42c1',
    't-variable': '#953800',
    't-deleted': '#82071e',
  },
  dark: {
    'code-mark': '#3a3413',
    't-comment': '#9aa3ad',
    't-keyword': '#ff8a80',
    't-constant': '#8cc8ff',
    't-string': '#a5d6ff',
    't-tag': '#7ee787',
    't-function': '#d2a8ff',
    't-variable': '#ffa657',
    't-deleted': '#ffa198',
  },
};
const tokenClasses = Object.keys(own.light).filter((name) => name !== 'code-mark') as TokenClass[];

/**
 * The colours of code in a theme, for one mode: its background `code`, that of highlighted lines `code-mark`,
 * text and tokens with a contrast of at least 4.5:1 on both.
 * @param site  the colours of the site, for the themes that are its own
 */
export async function codeColorsOf(
  theme: string,
  { mode, site }: { mode: Mode; site: Palette },
): Promise<Palette> {
  const { background, text, soft, tokens, mark } =
    (await foreignTheme(theme)) ?? ownTheme(theme, { mode, site });
  const grounds = [background, mark];
  const readable = (color: string) => readableOn(grounds, color);
  return {
    code: background,
    'code-mark': mark,
    'code-ink': readable(text),
    'code-soft': readable(soft),
    ...Object.fromEntries(tokenClasses.map((token) => [token, readable(tokens[token] ?? text)])),
  };
}

type Shown = CodeTheme & { soft: string; mark: string };

async function foreignTheme(name: string): Promise<Shown | undefined> {
  const theme = await codeThemeOf(name);
  if (!theme) return undefined;
  const { background, text, tokens } = theme;
  return { ...theme, soft: tokens['t-comment'] ?? text, mark: markOn(background) };
}

/** A theme without colours has only those of the site. */
function ownTheme(name: string, { mode, site }: { mode: Mode; site: Palette }): Shown {
  const { wash = '', ink = '', soft = '' } = site;
  const { 'code-mark': mark, ...tokens } = own[mode];
  const isPlain = name.startsWith('monochrome');
  return { background: wash, text: ink, soft, mark, tokens: isPlain ? { 't-comment': soft } : tokens };
}

/** A background that stands out a little; the same one where that would be hard to read. */
function markOn(background: string): string {
  const ink = inkOn([background]);
  const l = lightness(background) + (ink === '#ffffff' ? 0.06 : -0.05);
  const mark = shade(background, { l, c: 1 });
  return isReadable(ink, [mark]) ? mark : background;
}
