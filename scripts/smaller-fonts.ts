import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { mathRanges } from '../apps/site/src/fonts/smallerFonts.ts';

const folder = new URL('../apps/site/src/fonts/smaller/', import.meta.url);
const packages = new URL('../node_modules/', import.meta.url);

const inter = '@fontsource-variable/inter';
/** Fonts of formulas that keep all their characters. */
const wholeMathFonts = ['Math-Italic', 'Size1-Regular', 'Size2-Regular', 'Size3-Regular', 'Size4-Regular'];

/** The features and weights that the style sheets of sites use: no fractions, and no extreme weights. */
const keepFeatures = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'];
const variationAxes = { wght: { min: 400, max: 700 } };

/**
 * Makes the fonts of apps/site that are smaller than those of their packages, with the licenses of these.
 * `smallerFonts.ts` uses them.
 */
export async function smallerFonts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = (path: string) => readFileSync(new URL(path, packages));
  const targetFormat = 'woff2';
  const mathFont = async (name: string, ranges: string) =>
    subsetFont(read(`katex/dist/fonts/KaTeX_${name}.woff2`), charactersIn(ranges), {
      targetFormat,
      noHinting: true,
    });
  const latin = read(`${inter}/files/inter-latin-wght-normal.woff2`);
  const ranges = JSON.parse(read(`${inter}/unicode.json`).toString()) as { latin: string };
  return new Map([
    [
      'inter-latin-wght-normal.woff2',
      await subsetFont(latin, charactersIn(ranges.latin), { targetFormat, keepFeatures, variationAxes }),
    ],
    ['inter-license.txt', read(`${inter}/LICENSE`)],
    ['KaTeX_Main-Regular-common.woff2', await mathFont('Main-Regular', mathRanges.common)],
    ['KaTeX_Main-Regular-others.woff2', await mathFont('Main-Regular', mathRanges.others)],
    ...(await Promise.all(
      wholeMathFonts.map(async (name) => [`KaTeX_${name}.woff2`, await mathFont(name, 'U+20-D7FF')] as const),
    )),
    ['KaTeX-license.txt', read('katex/LICENSE')],
  ]);
}

/** @param ranges  as in a style sheet, such as `U+0020-007E,U+20AC` */
function charactersIn(ranges: string): string {
  return ranges.split(',').map(charactersOf).join('');
}

function charactersOf(range: string): string {
  const [first = 0, last = first] = range
    .replace('U+', '')
    .split('-')
    .map((hexadecimal) => Number.parseInt(hexadecimal, 16));
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('');
}

if (import.meta.main) {
  for (const [name, bytes] of await smallerFonts()) writeFileSync(new URL(name, folder), bytes);
  console.log(`${folder.pathname} written`);
}
