import { hash } from 'node:crypto';
import type { PageTree } from '@bindery/content';
import type { SiteCustomization } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { paletteOf } from '../frame/palette.ts';
import type { CardFonts } from './cardFonts.ts';
import { cardTextOf, linesOf, type CardText } from './cardText.ts';

/**
 * The picture of a page where people share it, as SVG that is not drawn yet, and the hash of that. `fonts`:
 * the paths of the fonts that it needs beside the one of all cards.
 */
export type PageCard = { svg: string; hash: string; fonts: readonly string[] };

const width = 1_200;
const height = 630;
const margin = 80;
/** The font of all cards; others stand in for its missing characters. */
const ownFamily = 'Fira Sans';

/** The card of a page; undefined for a page whose title no font has. */
export function pageCardOf(
  page: PageTree,
  {
    customization,
    siteTitle,
    language,
    fonts,
  }: { customization: SiteCustomization; siteTitle: string; language: string; fonts: CardFonts },
): PageCard | undefined {
  if (page.type !== 'document') return undefined;
  const textOf = (text: string) => cardTextOf(text, { language, fonts });
  const title = textOf(page.title);
  if (title.text === '') return undefined;
  const [description, site] = [textOf(page.description ?? ''), textOf(siteTitle)];
  const {
    primary,
    page: ground,
    ink,
    soft,
  } = paletteOf(customization, customization.themes.default === 'dark' ? 'dark' : 'light');
  const space = width - 2 * margin;
  const titleLines = linesOf(title.text, { size: 76, space, most: 3 });
  const lines = linesOf(description.text, { size: 36, space, most: 3 });
  const [siteLine = ''] = linesOf(site.text, { size: 36, space, most: 1 });
  const top = 230;
  const below = top + titleLines.length * 90;
  const svg =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${ownFamily}" font-weight="500">
<clipPath id="inside"><rect width="${width - margin}" height="${height}"/></clipPath>
<rect width="${width}" height="${height}" fill="${ground}"/>
<rect width="${width}" height="20" fill="${primary}"/>
<g clip-path="url(#inside)">
${writeLine(siteLine, site, { y: 120, size: 36, color: soft })}
${titleLines.map((line, at) => writeLine(line, title, { y: top + at * 90, size: 76, color: ink }))}
${lines.map((line, at) => writeLine(line, description, { y: below + at * 50, size: 36, color: soft }))}
</g>
</svg>`.toString();
  const needed = [title, description, site].flatMap(({ font }) => (font ? [font.path] : []));
  return { svg, hash: hash('sha256', svg, 'base64url').slice(0, 22), fonts: [...new Set(needed)] };
}

/** Writes a line at the side at which its script begins. */
function writeLine(
  line: string,
  { font }: CardText,
  { y, size, color }: { y: number; size: number; color: string | undefined },
): Html {
  const family = font && `${font.family}, ${ownFamily}`;
  if (!font?.isRightToLeft)
    return html`<text x="${margin}" y="${y}" font-family="${family}" font-size="${size}" fill="${color}">${line}</text>`;
  // The drawing ignores `direction`, but obeys marks of direction in the text.
  return html`<text x="${width - margin}" y="${y}" text-anchor="end" font-family="${family}" font-size="${size}" fill="${color}">\u202B${line}\u202C</text>`;
}
