import { JobError } from '@bindery/contract';
import { evaluateDocument, type DocumentVariables } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { variablesOf, type PageTree } from '@bindery/content';
import type { Run } from '@bindery/jobs';
import type { RenderedPage } from '@bindery/render';
import { markAll, markBlocks, type MarkedDocument } from '../changes/markBlocks.ts';
import type { BookContent } from '../content/bookContent.ts';
import { readDocument, readMarkdown } from '../content/readDocument.ts';
import { fileWithId, picturePath, targetsOf, type BookLinks } from '../content/targets.ts';
import type { Chapter } from '../plan/chapters.ts';
import type { PlacedPiece } from '../plan/chunks.ts';
import { chunkBytes } from '../plan/limits.ts';
import { cutPage } from '../plan/pieces.ts';
import type { PdfBook } from '../pdfBook.ts';
import { htmlText } from '../sheets/htmlText.ts';
import { inOrder } from './inOrder.ts';
import type { PageRenderer } from './pageRenderer.ts';
import { noteDocument, sourceDocument } from './sourceDocument.ts';

export type Rendering = {
  book: PdfBook;
  links: BookLinks;
  renderer: PageRenderer;
  /** The content that changed pages are compared with, by their ids; absent for a book of whole pages. */
  earlier?: { content: BookContent; pageOf: (id: string) => PageTree | undefined } | undefined;
  log: Run['log'];
};

/** Documents that are read while another page is rendered. */
const readAhead = 3;

/** Renders chapters one after the other, in pieces that fit into a chunk. */
export async function* renderChapters(
  chapters: readonly Chapter[],
  rendering: Rendering,
): AsyncGenerator<PlacedPiece> {
  const read = async ({ page }: Chapter) => page && prepare(page.page, rendering);
  let chapter = 0;
  for await (const prepared of inOrder(chapters, readAhead, read)) {
    const { groups, page } = chapters[chapter] as Chapter;
    const opening = groups.map(({ id, title }) => ({ id, title, level: 1 }));
    const titles = opening.map(
      ({ id, title }) => `<h1 class="group-title" id="${id}">${htmlText(title)}</h1>`,
    );
    const pieces =
      page && prepared
        ? await renderPage(page.page, prepared, rendering)
        : [{ html: '', headings: [], pictures: [], hasMath: false, direction: 'ltr' as const }];
    for (const [index, { direction, ...piece }] of pieces.entries()) {
      const isFirst = index === 0;
      yield {
        ...piece,
        headings: isFirst ? [...opening, ...piece.headings] : piece.headings,
        chapter,
        head: isFirst && titles.length > 0 ? `<div class="groups">${titles.join('')}</div>` : '',
        direction,
      };
    }
    chapter += 1;
  }
}

/** A document to print; `why` when it is not that of the page. */
type Prepared = MarkedDocument & { variables: DocumentVariables; why?: string };

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

async function sourceOf(
  page: PageTree,
  { links: { content } }: Rendering,
  why: string,
): Promise<MarkedDocument & { why: string }> {
  return { document: sourceDocument(await readMarkdown(content, { page }), why), marks: new Map(), why };
}

type DirectedPiece = Omit<PlacedPiece, 'chapter' | 'head'>;

async function renderPage(
  page: PageTree,
  prepared: Prepared,
  rendering: Rendering,
): Promise<DirectedPiece[]> {
  const { log, links } = rendering;
  let { why } = prepared;
  let rendered = await render(page, prepared, rendering);
  if (typeof rendered === 'string') {
    why = rendered;
    rendered = await render(page, { ...prepared, ...(await sourceOf(page, rendering, why)) }, rendering);
  }
  if (typeof rendered === 'string')
    throw new JobError('limit', `The page ${page.title} cannot be printed. ${rendered}`, {
      action: 'Divide the page, or print others with `page`.',
    });
  const path = 'path' in page ? page.path : page.title;
  if (why !== undefined) log('warning', `Printed as its source. ${why}`, path);
  const { html, cuts, headings, images, hasMath, direction } = rendered;
  const pictures = images.flatMap(({ file: id }) => {
    const file = fileWithId(id, links);
    if (!file) return [];
    const { blob, sizeBytes, contentType: type } = file;
    return [{ path: picturePath(file), blob, sizeBytes, type }];
  });
  return cutPage({ html, cuts, headings, pictures, hasMath }, chunkBytes.max).map((piece) => ({
    ...piece,
    direction,
  }));
}

async function render(
  page: PageTree,
  { document, marks, variables }: Prepared,
  { book, links, renderer, log }: Rendering,
): Promise<RenderedPage | string> {
  const { missing, ...targets } = await targetsOf(document, links);
  if (missing.size > 0)
    log(
      'warning',
      `${missing.size === 1 ? 'A picture is' : `${missing.size} pictures are`} not printed, because only stored pictures of usual types and sizes are: ${[...missing].slice(0, 5).join(', ')}`,
      'path' in page ? page.path : page.title,
    );
  const { id, title } = page;
  const { description, emoji } = page.type === 'document' ? page : {};
  return renderer.render({
    page: {
      id,
      title,
      language: book.language,
      ...(description !== undefined && { description }),
      ...(emoji !== undefined && { emoji }),
    },
    document,
    marks,
    variables,
    ...targets,
  });
}
