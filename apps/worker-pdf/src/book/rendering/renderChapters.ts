import { evaluateDocument } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { variablesOf, type PageTree } from '@bindery/content';
import { markAll, markBlocks } from '../changes/markBlocks.ts';
import type { BookContent } from '../content/bookContent.ts';
import { readDocument } from '../content/readDocument.ts';
import type { Chapter } from '../plan/chapters.ts';
import type { PlacedPiece } from '../plan/chunks.ts';
import { htmlText } from '../sheets/htmlText.ts';
import { inOrder } from './inOrder.ts';
import { renderPage, sourceOf, type PagePiece, type Prepared, type Rendering } from './renderPage.ts';
import { noteDocument } from './sourceDocument.ts';

/** Documents that are read while another page is rendered. */
const readAhead = 3;

/** Renders chapters one after the other, in pieces that fit into a chunk. */
export async function* renderChapters(
  chapters: readonly Chapter[],
  rendering: Rendering,
): AsyncGenerator<PlacedPiece> {
  // One after the other: a second thread that parses takes some 70 MB, and Chromium is slower than one.
  let last: Promise<unknown> = Promise.resolve();
  const read = async ({ page }: Chapter) => {
    const prepared = last.then(async () => page && prepare(page.page, rendering));
    last = prepared.catch(() => undefined);
    return prepared;
  };
  let chapter = 0;
  for await (const prepared of inOrder(chapters, readAhead, read)) {
    const { page } = chapters[chapter] as Chapter;
    const pieces = page && prepared ? await renderPage(page.page, prepared, rendering) : [noPage];
    yield* placePieces(pieces, { chapter, chapters });
    chapter += 1;
  }
}

const noPage: PagePiece = {
  html: '',
  cuts: [],
  headings: [],
  pictures: [],
  hasMath: false,
  direction: 'ltr',
};

/** Sets the titles of the chapter's groups above the first piece of its page. */
export function placePieces(
  pieces: readonly PagePiece[],
  { chapter, chapters }: { chapter: number; chapters: readonly Chapter[] },
): PlacedPiece[] {
  const groups = chapters[chapter]?.groups ?? [];
  const titles = groups.map(({ id, title }) => `<h1 class="group-title" id="${id}">${htmlText(title)}</h1>`);
  const head = titles.length > 0 ? `<div class="groups">${titles.join('')}</div>` : '';
  const headHeadings = groups.map(({ id, title }) => ({ id, title, level: 1 }));
  return pieces.map((piece, index) => ({
    ...piece,
    chapter,
    ...(index === 0 ? { head, headHeadings } : { head: '', headHeadings: [] }),
  }));
}

async function prepare(page: PageTree, rendering: Rendering): Promise<Prepared> {
  const { links, earlier } = rendering;
  const { content } = links;
  const variables = variablesOf(content.revision, page);
  const after = await documentOf(content, page);
  if (!after) return { ...(await sourceOf(page, rendering, tooLongToRead)), variables };
  if (!earlier) return { document: after, marks: new Map(), variables };
  const previous = earlier.pageOf(page.id);
  const evaluated = evaluateDocument(after, { variables });
  if (!previous) return { ...markAll(evaluated), variables };
  const before = await documentOf(earlier.content, previous);
  if (!before) return { ...markAll(evaluated), variables };
  const was = evaluateDocument(before, { variables: variablesOf(earlier.content.revision, previous) });
  return { ...markBlocks(was, evaluated), variables };
}

const tooLongToRead = 'It takes too long to read.';

async function documentOf(content: BookContent, page: PageTree): Promise<DocumentTree | undefined> {
  if (page.type !== 'computed') return readDocument(content, { page });
  const { references } = content;
  return noteDocument(
    `This page is made from an API specification, and is only in the application: ${references.appUrl}/s/${references.space}/~/pages/${page.id}`,
  );
}
