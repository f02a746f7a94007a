import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DocumentNode } from '@bindery/contract';
import { element, emojiOfCode, evaluateDocument, type Html } from '@bindery/dialect';
import type { Medium, PageToRender, RenderedPage, RenderLimits } from '../face.ts';
import type { Typesetter } from '../typeset/typesetter.ts';
import { directionOfPage, setDirections } from './directions.ts';
import { fillEmptyCells } from './emptyCells.ts';
import { idsOf, type PageIds } from './ids.ts';
import { wordsOf } from '../words/wordsOf.ts';
import { checkElements, tooDeep, tooLong } from './limits.ts';
import { checkLinks } from './links.ts';
import { isElement, outlined } from './outline.ts';
import { createPageContext, type PageContext } from './pageContext.ts';
import { sanitize } from './sanitize.ts';
import { setForScreen } from './setForScreen.ts';
import { settled, type PageNode } from './settle.ts';
import { markShortBlocks } from './shortBlocks.ts';
import { summaryOf } from './summary.ts';
import { isVisible } from './textOf.ts';
import { markWideTables } from './wideTables.ts';
import { writeHtml } from './writeHtml.ts';

export type Rendering = { typesetter: Typesetter; limits: RenderLimits; linkSchemes: readonly string[] };

/** @throws PageTooLargeError */
export async function renderPage(given: PageToRender, rendering: Rendering): Promise<RenderedPage> {
  try {
    return await rendered(given, rendering);
  } catch (error) {
    throw error instanceof RangeError && /call stack/.test(error.message)
      ? tooDeep(given.page, error)
      : error;
  }
}

/** Renders a page from end to end: blocks, outline, links, directions, sanitizing. */
async function rendered(given: PageToRender, rendering: Rendering): Promise<RenderedPage> {
  const { page, medium = 'paper', externalLinks } = given;
  const own = idsOf(page.id, medium);
  const context = createPageContext(given, { ...rendering, ids: own });
  const nodes = await settled(draft(given, { context, own }));
  checkElements(nodes, { page, limits: rendering.limits, inserted: context.inserted });
  const summary = summaryOf(nodes);
  const headings = outlined(nodes, () => context.usedId(`${own.page}-h`));
  const ids = idsIn(nodes);
  checkLinks(nodes, (href) => own.isOwn(href) && !ids.has(href.slice(1)));
  fillEmptyCells(nodes);
  if (medium !== 'paper') setForScreen(nodes, { nameOfTable: nameOfTable(page, medium), externalLinks });
  if (medium !== 'screen') {
    markShortBlocks(nodes);
    markWideTables(nodes);
  }
  const direction = directionOfPage(page.language, nodes);
  setDirections(nodes, direction);
  const { html, cuts } = await written(nodes, { page, medium, context, rendering });
  return {
    html,
    cuts,
    direction,
    headings,
    summary,
    ids: [...ids],
    images: [...context.images.values()],
    hasMath: context.inserted.length > 0,
    isComplete: context.isComplete(),
  };
}

/** Names the tables of a page. Regions of one document need names of their own. */
function nameOfTable({ title, language }: PageToRender['page'], medium: Medium): (number: number) => string {
  const words = wordsOf(language);
  return (number) => (medium === 'sheets' ? `${title}: ${words.table(number)}` : words.table(number));
}

/** The title, the body and the notes of a page, before its outline is settled. */
function draft(
  { page, document, reader, variables = {}, marks }: PageToRender,
  { context, own }: { context: PageContext; own: PageIds },
): Html {
  const claims = reader === 'member' ? {} : { claims: reader.claims };
  const { nodes } = evaluateDocument(document, { ...claims, variables });
  const emoji = page.emoji === undefined ? '' : `${emojiOfCode(page.emoji)} `;
  const title = isVisible(page.title) ? page.title : wordsOf(page.language).untitled;
  const description = page.description ?? '';
  return [
    element('h1', { id: context.usedId(own.page) }, emoji, title),
    isVisible(description) ? element('p', { class: 'lead' }, description) : '',
    nodes.map((node) => marked(node, context, marks)),
    context.notes(),
  ];
}

function marked(node: DocumentNode, context: PageContext, marks: PageToRender['marks']): Html {
  const mark = marks?.get(('key' in node && node.key) || '');
  const html = context.render([node]);
  if (!mark) return html;
  return element('div', { class: mark.className }, element('p', { class: 'change-label' }, mark.label), html);
}

function idsIn(nodes: readonly PageNode[], found = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (node.attributes.id !== undefined) found.add(node.attributes.id);
    idsIn(node.children, found);
  }
  return found;
}

type Writing = {
  page: PageToRender['page'];
  medium: Medium;
  context: PageContext;
  rendering: Rendering;
};

/** Writes and sanitizes a page piece by piece: a piece begins at each `h2` of the top level. */
async function written(
  nodes: readonly PageNode[],
  { page, medium, context, rendering }: Writing,
): Promise<Pick<RenderedPage, 'html' | 'cuts'>> {
  // No author can write a place, because nobody knows this word before.
  const secret = randomUUID();
  const place = (index: number) => `${secret}-${index};`;
  const places = new RegExp(`${secret}-(\\d+);`, 'g');
  const pictures = new Set(context.images.keys());
  const cuts: number[] = [];
  let html = '';
  for (const piece of piecesOf(nodes)) {
    if (html !== '') cuts.push(html.length);
    const safe = sanitize(writeHtml(piece, { place, medium }), {
      schemes: rendering.linkSchemes,
      pictures,
      medium,
    });
    html += safe.replaceAll(places, (_, index: string) => context.inserted[Number(index)] ?? '');
    if (html.length > rendering.limits.characters) throw tooLong(page, rendering.limits);
    await setImmediate();
  }
  return { html, cuts };
}

function piecesOf(nodes: readonly PageNode[]): PageNode[][] {
  const pieces: PageNode[][] = [[]];
  for (const node of nodes) {
    if (isElement(node) && node.name === 'h2') pieces.push([]);
    pieces.at(-1)?.push(node);
  }
  return pieces;
}
