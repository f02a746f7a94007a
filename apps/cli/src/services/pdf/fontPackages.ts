import type { NpmPackage } from './npmPackage.ts';

/** A font family: its files in a package, each under the SIL Open Font License 1.1. */
export type FontPackage = NpmPackage & { files: readonly string[] };

/**
 * The fonts of all PDFs, the same on every machine, so that the same content gives the same bytes. All are
 * TrueType, which Chromium embeds as small subsets; CFF fonts, as in Debian's package for Chinese, Japanese
 * and Korean, become pictures of glyphs (Type 3). Amiri and not Noto for Arabic: of the fonts tried, only
 * Amiri keeps the written text exactly, for a reader who copies or searches it.
 */
export const fontPackages: readonly FontPackage[] = [
  font(
    'noto-sans@0.4.2',
    'zYD8G2ijWLxqmquoQgghNh/x9p0yxWwArD0oxO1oXY1qx5vOd4t0Kbhnu/Cx8RTy08OgA8RtxuULZFaXwVPnPw==',
    [
      '400Regular/NotoSans_400Regular.ttf',
      '400Regular_Italic/NotoSans_400Regular_Italic.ttf',
      '700Bold/NotoSans_700Bold.ttf',
      '700Bold_Italic/NotoSans_700Bold_Italic.ttf',
    ],
  ),
  font(
    'noto-sans-mono@0.4.2',
    'Am5TeZeLlqPiDbWH71OprS/LZTuWwvpZ0cEObA9I3/FO2uhZEHgbp+fm/3aDPbEiMNr7xN8YpUAnuyBGuEeHoQ==',
    regularAndBold('NotoSansMono'),
  ),
  font(
    'amiri@0.4.1',
    'JTZUZ4olyqGeXu5UBWVEerrbym/MD9U3wU8qzSg8z4qEtHFKAI3uPg2DuytfeRmJ6EppaHLYsYqpGerMOrpJeA==',
    regularAndBold('Amiri'),
  ),
  font(
    'noto-sans-hebrew@0.4.1',
    'NR3vP6GT/hSINLrk4JHJBQnuzh/C1mlMrphNlI2dQaO53a3oTjSRoG4JyYb1B6bHadjsGh0wPZbT4kMJBKjT/w==',
    regularAndBold('NotoSansHebrew'),
  ),
  font(
    'noto-sans-thai@0.4.2',
    'PGBBBDGfJJ/5y2hNweLBZWD4YmVT4uOO4chsOPXyl0TktaBJamDKVKv/WbGiDTeBGdkegLiytsWo+lhnkHP5qA==',
    regularAndBold('NotoSansThai'),
  ),
  font(
    'noto-sans-devanagari@0.4.1',
    '26boYPNKGP1r4R5MxsMAY/zCQOwiXLOJzX8sh1a2oEWyQurQsyniaCv4992c+9jjwshEEt2NNVv5GcnyzaL7QQ==',
    regularAndBold('NotoSansDevanagari'),
  ),
  font(
    'noto-sans-jp@0.4.3',
    'Fl+Z6vtD24HFAYsvzB0S9Nery1ly16B9PesdY0wBd+wEHAvkNglnkTUspU0HqGOubkmoa8zusJrKv6vDx1o70A==',
    regularAndBold('NotoSansJP'),
  ),
  font(
    'noto-sans-sc@0.4.3',
    '9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ==',
    regularAndBold('NotoSansSC'),
  ),
  font(
    'noto-sans-kr@0.4.3',
    'EVS/uJPcf1TgJtjmQmrFr0oGdcl7ml09CSu0E/AyGzR0UfzdR2pBbzWWPsnuzZiGUl643ODYwYiXK5+B+fLjhQ==',
    regularAndBold('NotoSansKR'),
  ),
  font(
    'noto-sans-symbols@0.4.1',
    'LlXM1nLfz0FO1UA/COHlVau8DcDsvex3uWVA/BqeT8tJt+Hk8ju5XfmoShdjiW8IP4Z3ukKp7VFh4DDmNImYKA==',
    regularAndBold('NotoSansSymbols'),
  ),
  font(
    'noto-sans-symbols-2@0.4.1',
    'jFymG5s4OLlXpy9E9FQvSXpSnf43BIYcJiPXEHSw6LFNvbahkjmUWb/cj4vsX/KdUksGLTPbjB9iRuu8L3yJ8A==',
    ['400Regular/NotoSansSymbols2_400Regular.ttf'],
  ),
  font(
    'noto-sans-math@0.4.2',
    'Kgj0kKibznTLYcbpR8Tk2ybr76uMOyrlyoP5F9G+0UiJzAMA4zG/XIlrgXKzfFGERhA0Rc3vbwDeeTxwXPlaYg==',
    ['400Regular/NotoSansMath_400Regular.ttf'],
  ),
  font(
    'noto-color-emoji@0.4.6',
    '2pAakFka8eSDCHB5d6NNp/7WrOZAiVYcycOqAbccPd8P8zaWUVfQ0N3y84nNPmhCQT9qzM9bpDi6cgMu6fRKEg==',
    ['400Regular/NotoColorEmoji_400Regular.ttf'],
  ),
];

/** The family for each generic one, and the order in which families are tried for a character. */
export const genericFamilies = {
  'sans-serif': ['Noto Sans'],
  serif: ['Noto Sans'],
  monospace: ['Noto Sans Mono'],
  emoji: ['Noto Color Emoji'],
} as const;

function font(requirement: string, integrity: string, files: readonly string[]): FontPackage {
  return { requirement: `@expo-google-fonts/${requirement}`, integrity: `sha512-${integrity}`, files };
}

function regularAndBold(name: string): string[] {
  return [`400Regular/${name}_400Regular.ttf`, `700Bold/${name}_700Bold.ttf`];
}
