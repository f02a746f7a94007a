import {
  eachDraftPage,
  isInArchive,
  placeInArchive,
  type Draft,
  type DraftFile,
} from '@bindery/content/import';
import { rewriteTargets } from '@bindery/dialect/links';
import { isWebTarget, schemeOf } from '@bindery/contract/linkTarget';
import { JobError } from '@bindery/contract/jobErrors';
import type { Outbound } from '@bindery/outbound';
import { newId } from '@bindery/runtime/ids';
import { fetchResource, resourceKinds } from './fetchResource.ts';
import type { Gathering } from './gathering.ts';
import { readImage } from './imageType.ts';

const maxImages = 100;
const atOnce = 2;

/**
 * Fetches the images of pages, one at a time, through the same guarded client as the pages. An image that
 * cannot be fetched stays a link to its URL.
 *
 * @param outbound  absent: only images embedded in the page are taken
 */
export async function collectImages(
  drafts: readonly Draft[],
  { outbound, known = [], tell, skip }: Gathering & { outbound?: Outbound; known?: readonly DraftFile[] },
): Promise<DraftFile[]> {
  const have = new Set(known.map(({ place }) => place.href));
  const wanted = new Map<string, URL>();
  const files: DraftFile[] = [];
  for (const page of eachDraftPage(drafts)) {
    if (page.markdown === undefined) continue;
    const [base] = page.places;
    page.markdown = rewriteTargets(page.markdown, (target, use) => {
      if (use !== 'image') return undefined;
      if (schemeOf(target) === 'data') return embedded(target);
      const url = URL.parse(target, base?.href);
      if (url && isWebTarget(url.href) && !have.has(url.href)) wanted.set(url.href, withoutHash(url));
      return undefined;
    });
  }
  if (!outbound) return files;
  const images = [...wanted.values()].filter((url) => !isInArchive(url));
  for (const url of images.slice(maxImages))
    skip(`The page shows more than ${maxImages} images; the others stay where they are.`, url.pathname);
  const queue = images.slice(0, maxImages);
  let done = 0;
  const work = async () => {
    for (let url = queue.shift(); url; url = queue.shift()) {
      tell({ kind: 'stage', stage: 'images', done: done++, total: Math.min(images.length, maxImages) });
      const file = await fetchImage(outbound, url, skip);
      if (file) files.push(file);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return files;

  /** Turns an image embedded in the page into a file with a unique place. */
  function embedded(target: string): string | undefined {
    const [, data] = /^data:image\/[\w.+-]{1,40};base64,([\w+/=\s]+)$/.exec(target) ?? [];
    const image = data === undefined ? undefined : readImage(Buffer.from(data, 'base64'));
    if (!image || image.bytes.length > resourceKinds.image.maxBytes || files.length >= maxImages) {
      skip(
        'An image in the text of a page was left out: it is not an image, is too large, or exceeds the limit of images.',
      );
      return '';
    }
    const id = newId();
    const place = placeInArchive(`embedded/${id}`);
    files.push({ id, name: `image-${files.length + 1}.${image.ending}`, place, read: () => image.bytes });
    return place.href;
  }
}

async function fetchImage(
  outbound: Outbound,
  url: URL,
  skip: Gathering['skip'],
): Promise<DraftFile | undefined> {
  try {
    const { bytes } = await fetchResource(outbound, outbound.checkUrl(url.href), [resourceKinds.image]);
    const image = readImage(bytes);
    if (!image) throw new JobError('bad_content', 'It is no image.');
    return { id: newId(), name: nameOf(url, image.ending), place: url, read: () => image.bytes };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    skip(`An image could not be fetched and stays where it is. ${error.message}`, url.pathname);
    return undefined;
  }
}

/** Names a file after the last part of its path, with the extension of its actual type. */
function nameOf(url: URL, ending: string): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? 'image';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Invalid percent-encoding is kept.
  }
  const stem = name.replace(/\.(?:png|jpe?g|gif|webp|avif|svg)$/i, '');
  // By characters, because half of a surrogate pair cannot be part of a URL.
  return `${[...stem.toWellFormed()].slice(0, 100).join('') || 'image'}.${ending}`;
}

function withoutHash(url: URL): URL {
  const copy = new URL(url);
  copy.hash = '';
  return copy;
}
