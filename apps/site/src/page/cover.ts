import type { PageTree } from '@bindery/content';
import { isWebTarget } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { linkTo, type TargetSource } from './collectTargets.ts';

type Document = Extract<PageTree, { type: 'document' }>;
type Ref = NonNullable<Document['cover']>['ref'];

/** The picture at the top of a page, with the style and the pictures that its policy must permit. */
export type Cover = { size: Size; picture: Value; style: string; pictures: readonly string[] };

/** `hero`: in the column of the page. The others are as wide as the window, and `background` fades out. */
type Size = 'hero' | 'full' | 'background';

/** In pixels. */
const heights = { default: 240, min: 10, max: 700 };
const maxOffset = 2_000;

/** The cover of a page; undefined for a page without one, and when the visitor does not see its picture. */
export async function coverOf(page: PageTree, source: TargetSource): Promise<Cover | undefined> {
  if (page.type !== 'document' || !page.cover || page.layout?.cover === false) return undefined;
  const { ref, refDark, yPos, heightPixels = heights.default } = page.cover;
  const light = await addressOf(ref, source);
  if (light === undefined) return undefined;
  const dark = (await addressOf(refDark, source)) ?? light;
  const size = page.layout?.coverSize ?? 'hero';
  const mask = page.layout?.coverMask === 'radial' && 'radial';
  const write = (src: string, theme: string | false) => html`<img class="${theme}" src="${src}" alt="">`;
  const images = light === dark ? write(light, false) : [write(light, 'on-light'), write(dark, 'on-dark')];
  const height = Math.round(Math.min(Math.max(heightPixels, heights.min), heights.max));
  const offset = Math.round(Math.min(Math.max(yPos, -maxOffset), maxOffset));
  return {
    size,
    picture: html`<div class="cover ${[size, mask].filter(Boolean).join(' ')}">${images}</div>`,
    style: `.cover img{height:${height}px;object-position:50% calc(50% + ${offset}px)}`,
    pictures: [light, dark],
  };
}

/** The address of a picture: a file of the space, or on the web. */
async function addressOf(ref: Ref, source: TargetSource): Promise<string | undefined> {
  if (ref?.kind === 'file') return (await linkTo(ref, source))?.href;
  return ref && isWebTarget(ref.url) ? URL.parse(ref.url)?.href : undefined;
}
