import { readArchive } from '@bindery/archive';
import {
  draftPage,
  pageFile,
  placeInArchive,
  titleOf,
  type DraftFile,
  type DraftPage,
} from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { newId } from '@bindery/runtime/ids';
import mammoth from 'mammoth';
import { attribute, eachElement, findElement, hasClass, textOf } from '../html/elements.ts';
import { htmlToMarkdown } from '../html/htmlToMarkdown.ts';
import type { Element, ElementContent } from '../html/htmlTree.ts';
import { parseHtml } from '../html/parseHtml.ts';
import { readImage } from '../imageType.ts';
import type { Gathering } from '../gathering.ts';
import type { SourceContent } from './source.ts';

const maxImages = 100;

/**
 * Reads a Word document: each heading of level 1 begins a page, and the text before the first one is a page
 * of its own. Reads nothing outside of the file.
 *
 * @param name  title of a document without one
 */
export async function readDocx(
  bytes: Buffer,
  { name, tell, skip, uploaded }: Gathering & { name: string },
): Promise<SourceContent> {
  tell({ kind: 'stage', stage: 'read' });
  // The converter unpacks without limits, so the archive is checked first. Few know that it is one.
  const isArchive = bytes.subarray(0, 2).toString('latin1') === 'PK';
  const parts = isArchive ? await readArchive(bytes, { uploaded }) : undefined;
  if (!parts?.has('word/document.xml')) {
    const file = uploaded ?? 'The downloaded file';
    throw new JobError('bad_content', `${file} is not a Word document (.docx).`, {
      action: 'Save it in the format of Word 2007 or later.',
    });
  }
  const files: DraftFile[] = [];
  const { value: html } = await convert(bytes, async (image) => {
    const found = readImage(await image.readAsBuffer());
    if (!found || files.length >= maxImages) {
      skip(
        found
          ? `The document shows more than ${maxImages} images; the others were left out.`
          : 'An image of a kind that pages cannot show was left out.',
      );
      return { src: '' };
    }
    const id = newId();
    const place = placeInArchive(`images/${id}.${found.ending}`);
    files.push({ id, name: `image-${files.length + 1}.${found.ending}`, place, read: () => found.bytes });
    return { src: place.pathname };
  });
  return { drafts: splitByHeading(parseHtml(html), name), files };
}

async function convert(
  buffer: Buffer,
  toImage: Parameters<typeof mammoth.images.imgElement>[0],
): ReturnType<typeof mammoth.convertToHtml> {
  try {
    return await mammoth.convertToHtml(
      { buffer },
      {
        convertImage: mammoth.images.imgElement(toImage),
        externalFileAccess: false,
        styleMap: [
          "p[style-name='Title'] => h1.title:fresh",
          "p[style-name='Subtitle'] => p:fresh",
          "p[style-name='Code'] => pre:separator('\\n')",
        ],
      },
    );
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new JobError('bad_content', 'The Word document is damaged.', {
      action: 'Open and save it again, then import it.',
    });
  }
}

type Part = { title: string | undefined; children: ElementContent[]; place: URL };

function splitByHeading(root: ReturnType<typeof parseHtml>, name: string): DraftPage[] {
  const body = findElement(root, ({ tagName }) => tagName === 'body');
  const parts: Part[] = [newPart(undefined, 0)];
  let title = name;
  for (const child of body?.children ?? []) {
    if (child.type !== 'element') continue;
    if (child.tagName === 'h1' && hasClass(child, 'title') && parts.length === 1)
      title = titleOf(textOf(child)) || title;
    else if (child.tagName === 'h1' && textOf(child) !== '')
      parts.push(newPart(titleOf(textOf(child)), parts.length, child));
    else (parts.at(-1) as Part).children.push(child);
  }
  const [intro, ...chapters] = parts as [Part, ...Part[]];
  linkParts(parts);
  const pageOf = ({ title: own = title, children, place }: Part): DraftPage => {
    const bodyText = htmlToMarkdown({ type: 'element', tagName: 'div', properties: {}, children });
    return draftPage({ title: own, markdown: pageFile({ title: own, body: bodyText }), places: [place] });
  };
  const hasIntro = intro.children.some(
    (child) =>
      child.type === 'element' &&
      (textOf(child) !== '' || findElement(child, ({ tagName }) => tagName === 'img')),
  );
  if (!hasIntro && chapters.length === 0) return [];
  return [...(hasIntro ? [pageOf(intro)] : []), ...chapters.map(pageOf)];
}

function newPart(title: string | undefined, index: number, heading?: Element): Part {
  // Link targets at the heading are kept with the part; they are invisible.
  const anchors = heading
    ? [...eachElement(heading)].filter(
        (element) => element.tagName === 'a' && attribute(element, 'id') !== undefined,
      )
    : [];
  const marks = anchors.map((element): ElementContent => ({ ...element, children: [] }));
  return { title, children: marks, place: placeInArchive(`part-${index}`) };
}

/** Points links inside of the document to the page that now contains their target. */
function linkParts(parts: readonly Part[]): void {
  const placeOf = new Map<string, URL>();
  const each = function* ({ children }: Part): Iterable<Element> {
    for (const child of children) if (child.type === 'element') yield* eachElement(child);
  };
  for (const part of parts) {
    for (const element of each(part)) {
      const id = attribute(element, 'id');
      if (id !== undefined) placeOf.set(id, part.place);
    }
  }
  for (const part of parts) {
    for (const element of each(part)) {
      const href = element.tagName === 'a' ? attribute(element, 'href') : undefined;
      const place = href?.startsWith('#') ? placeOf.get(href.slice(1)) : undefined;
      if (place && place !== part.place) element.properties['href'] = place.pathname;
    }
  }
}
