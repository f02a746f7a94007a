import { JobError } from '@bindery/contract';
import type { DocumentVariables } from '@bindery/dialect';
import type { PageTree } from '@bindery/content';
import type { Run } from '@bindery/jobs';
import type { RenderedPage } from '@bindery/render';
import type { MarkedDocument } from '../changes/markBlocks.ts';
import type { BookContent } from '../content/bookContent.ts';
import { readMarkdown } from '../content/readDocument.ts';
import { fileWithId, picturePath, targetsOf, type BookLinks } from '../content/targets.ts';
import type { PlacedPiece } from '../plan/chunks.ts';
import { chunkBytes } from '../plan/limits.ts';
import { cutPage } from '../plan/pieces.ts';
import type { PdfBook } from '../pdfBook.ts';
import type { PageRenderer } from './pageRenderer.ts';
import { sourceDocument } from './sourceDocument.ts';

export type Rendering = {
  book: PdfBook;
  links: BookLinks;
  renderer: PageRenderer;
  /** The content that changed pages are compared with, by their ids; absent for a book of whole pages. */
  earlier?: { content: BookContent; pageOf: (id: string) => PageTree | undefined } | undefined;
  log: Run['log'];
};

/** A document to print; `why` when it is not that of the page. */
export type Prepared = MarkedDocument & { variables: DocumentVariables; why?: string };

export async function sourceOf(
  page: PageTree,
  { links: { content } }: Rendering,
  why: string,
): Promise<MarkedDocument & { why: string }> {
  return { document: sourceDocument(await readMarkdown(content, { page }), why), marks: new Map(), why };
}

type DirectedPiece = Omit<PlacedPiece, 'chapter' | 'head'>;

/** Renders a page in pieces that fit into a chunk; as its source when it is too large. */
export async function renderPage(
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
