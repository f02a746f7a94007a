import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { embeddedFont, writeMathStyleSheet } from '@bindery/render';
import { nameWithHash } from './fontFiles.ts';
import { isSmallerFont, mathRanges, smallerFont } from './smallerFonts.ts';

/** The folder of the fonts of formulas, among those of the fonts that a customization can choose. */
export const mathFolder = 'math';

/** Where the fonts of formulas are on the disk, by their names. */
export const mathFonts = new Map<string, URL>();

const sheet = writeMathStyleSheet(addressOf);
// Not linear: the style sheet of a package, once at the start, 24 kB and its fonts.
const fontFace = /@font-face\{[^}]*\}/g;

/** The style sheet of formulas without its fonts. */
export const mathRules = sheet.replaceAll(fontFace, '');

/**
 * The fonts of formulas as a style sheet beside the folder `fonts`. Those of nearly all formulas are part of
 * it: as files they would be up to six requests of a page. A browser fetches the others for pages that need
 * them. Until they are there, a font of the reader's system takes their place; also on paper, where browsers
 * do not wait for those that only closed blocks need.
 */
export const mathFaces = (sheet.match(fontFace) ?? [])
  .map((each) => each.replace('font-display:block', 'font-display:swap'))
  .map((each) => (each.includes('KaTeX_Main-Regular') ? splitFace(each) : each))
  .join('');

/** The font of nearly all formulas in two parts. Where their ranges overlap, the last one counts. */
function splitFace(whole: string): string {
  const before = whole.slice(0, whole.indexOf('src:'));
  const partOf = (name: keyof typeof mathRanges, address: string) =>
    `${before}src:url(${address}) format("woff2");unicode-range:${mathRanges[name]}}`;
  const others = partOf('others', addressOfFile(smallerFont('KaTeX_Main-Regular-others.woff2')));
  return others + partOf('common', embeddedFont(smallerFont('KaTeX_Main-Regular-common.woff2')));
}

function addressOf(font: URL): string {
  const name = basename(font.pathname);
  return isSmallerFont(name) ? embeddedFont(smallerFont(name)) : addressOfFile(font);
}

function addressOfFile(font: URL): string {
  const name = nameWithHash(font, readFileSync(font));
  mathFonts.set(name, font);
  return `fonts/${mathFolder}/${name}`;
}
