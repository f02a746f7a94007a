const folder = new URL('smaller/', import.meta.url);

const names = [
  'inter-latin-wght-normal.woff2',
  'KaTeX_Main-Regular-common.woff2',
  'KaTeX_Main-Regular-others.woff2',
  'KaTeX_Math-Italic.woff2',
  'KaTeX_Size1-Regular.woff2',
  'KaTeX_Size2-Regular.woff2',
  'KaTeX_Size3-Regular.woff2',
  'KaTeX_Size4-Regular.woff2',
] as const;

/**
 * A font of this app, made of one of a package, without what no page shows, and for formulas without hints
 * for coarse screens (`npm run smaller-fonts`).
 */
export type SmallerFont = (typeof names)[number];

export function isSmallerFont(name: string): name is SmallerFont {
  return (names as readonly string[]).includes(name);
}

export function smallerFont(name: SmallerFont): URL {
  return new URL(name, folder);
}

/**
 * The characters of the font of nearly all formulas, in two parts: most formulas need only the smaller one.
 * Besides ASCII it has the signs ± × ′ … → ∈ − ∞ ≠ ≤ ≥ ⋅ ⋯, and the spaces that KaTeX writes.
 */
export const mathRanges = {
  common:
    'U+20-7E,U+A0,U+B1,U+D7,U+200B,U+2026,U+2032,U+2192,' +
    'U+2208,U+2212,U+221E,U+2260,U+2264-2265,U+22C5,U+22EF',
  others: 'U+7F-FFFF',
};
