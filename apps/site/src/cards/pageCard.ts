import { hash } from 'node:crypto';
import type { PageTree } from '@bindery/content';
import type { SiteCustomization } from '@bindery/contract';
import { html } from '@bindery/html';
import { paletteOf } from '../frame/palette.ts';
import { linesOf, plainText } from './cardText.ts';

/** The picture of a page where people share it, as SVG that is not drawn yet, and the hash of that. */
export type PageCard = { svg: string; hash: string };

const width = 1_200;
const height = 630;
const margin = 80;

/** The card of a page; undefined for a page whose title the font of cards does not have. */
export function pageCardOf(
  page: PageTree,
  { customization, siteTitle }: { customization: SiteCustomization; siteTitle: string },
): PageCard | undefined {
  if (page.type !== 'document') return undefined;
  const title = plainText(page.title);
  if (title === '') return undefined;
  const {
    primary,
    page: ground,
    ink,
    soft,
  } = paletteOf(customization, customization.themes.default === 'dark' ? 'dark' : 'light');
  const space = width - 2 * margin;
  const titleLines = linesOf(title, { size: 76, space, most: 3 });
  const lines = linesOf(plainText(page.description ?? ''), { size: 36, space, most: 3 });
  const [siteLine] = linesOf(plainText(siteTitle), { size: 36, space, most: 1 });
  const top = 230;
  const below = top + titleLines.length * 90;
  const svg =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Fira Sans" font-weight="500">
<clipPath id="inside"><rect width="${width - margin}" height="${height}"/></clipPath>
<rect width="${width}" height="${height}" fill="${ground}"/>
<rect width="${width}" height="20" fill="${primary}"/>
<g clip-path="url(#inside)">
<text x="${margin}" y="120" font-size="36" fill="${soft}">${siteLine}</text>
${titleLines.map((line, at) => html`<text x="${margin}" y="${top + at * 90}" font-size="76" fill="${ink}">${line}</text>`)}
${lines.map((line, at) => html`<text x="${margin}" y="${below + at * 50}" font-size="36" fill="${soft}">${line}</text>`)}
</g>
</svg>`.toString();
  return { svg, hash: hash('sha256', svg, 'base64url').slice(0, 22) };
}
