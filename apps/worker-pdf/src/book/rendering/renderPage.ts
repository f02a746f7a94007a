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
import { noteDocument, sourceDocument } from './sourceDocument.ts';

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

export type PagePiece = Omit<PlacedPiece, 'chapter' | 'head' | 'headHeadings'>;

/** Renders a page in pieces that fit into a chunk; as its source when it is too large. */
export async function renderPage(
  page: PageTree,
  prepared: Prepared,
  rendering: Rendering,
): Promise<PagePiece[]> {
  const rendered = await render(page, prepared, rendering);
  const why = typeof rendered === 'string' ? rendered : prepared.why;
  if (why !== undefined) rendering.log('warning', `Printed as its source. ${why}`, nameOf(page));
  if (typeof rendered !== 'string') return piecesOf(rendered, rendering);
  return renderInstead(page, { form: 'source', why: rendered }, rendering);
}

/** `note`: only a note that says why, and where to find the page. */
export type Substitute = { form: 'source' | 'note'; why: string };

/** Renders what is printed instead of a page that cannot be printed as it is. */
export async function renderInstead(
  page: PageTree,
  { form, why }: Substitute,
  rendering: Rendering,
): Promise<PagePiece[]> {
  const variables = {};
  const marked = form === 'source' ? await sourceOf(page, rendering, why) : noteOf(page, rendering, why);
  const rendered = await render(page, { ...marked, variables }, rendering);
  if (typeof rendered !== 'string') return piecesOf(rendered, rendering);
  if (form === 'source') return renderInstead(page, { form: 'note', why }, rendering);
  throw new Error(`A note instead of a page could not be rendered: ${rendered}`);
}

/** The path of a page, or the title of one without a path: its name in the log of the job. */
export function nameOf(page: PageTree): string {
  return 'path' in page ? page.path : page.title;
}

export async function sourceOf(
  page: PageTree,
  { links: { content } }: Rendering,
  why: string,
): Promise<MarkedDocument & { why: string }> {
  return { document: sourceDocument(await readMarkdown(content, { page }), why), marks: new Map(), why };
}

function noteOf(page: PageTree, { links: { content } }: Rendering, why: string): MarkedDocument {
  const { appUrl, space } = content.references;
  const text = `${why} It is only in the application: ${appUrl}/s/${space}/~/pages/${page.id}`;
  return { document: noteDocument(text), marks: new Map() };
}

function piecesOf(
  { html, cuts, headings, images, hasMath, direction }: RenderedPage,
  { links }: Rendering,
): PagePiece[] {
  const pictures = images.flatMap(({ file: id }) => {
    const file = fileWithId(id, links);
    if (!file) return [];
    const { blob, sizeBytes, contentType: type } = file;
    return [{ path: picturePath(file), blob, sizeBytes, type }];
  });
  return cutPage({ html, cuts, headings, pictures, hasMath, direction }, chunkBytes.max);
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
      nameOf(page),
    );
  const { id, title } = page;
  const { description, emoji } = page.type === 'document' ? page : {};
  const wasHurried = renderer.isHurried;
  const rendered = await renderer.render({
    page: {
      id,
      title,
      language: book.language,
      description,
      emoji,
    },
    document,
    marks,
    variables,
    ...targets,
  });
  if (renderer.isHurried && !wasHurried)
    log(
      'warning',
      'Code and formulas of the pages after this one are printed as source text: highlighting took too long.',
      nameOf(page),
    );
  return rendered;
}
