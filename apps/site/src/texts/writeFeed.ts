import type { DocumentBlock, DocumentNode, DocumentTree } from '@bindery/contract';
import { headingsOf, wordsOf } from '@bindery/dialect';
import { html, type Html } from '@bindery/html';
import { readDocument } from '@bindery/publishing';
import { answerOf, type Answer } from '../answer/answer.ts';
import { languageOf } from '../visit/language.ts';
import type { PageVisit } from '../page/showPage.ts';
import { below, pagePath } from '../page/sitePaths.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import { originOf } from './sitePages.ts';

const maxItems = 50;
const maxText = 2_000;

/**
 * The updates of a page that its visitor sees as RSS 2.0, the newest first; undefined when the page has none.
 */
export async function writeFeed(visited: PageVisit, { links }: SitePlatform): Promise<Answer | undefined> {
  const { content, visitor, visit, paths } = visited;
  const { page } = visited.found;
  if (page.type !== 'document') return undefined;
  const query = { evaluated: 'true', dereferenced: 'true' } as const;
  const reading = { links, revision: content.revision, reader: { visitor }, query };
  const updates = updatesIn((await readDocument({ page }, reading)).nodes);
  if (updates.length === 0) return undefined;
  const url = originOf(visited) + (pagePath(page, { base: paths.own, pages: content.pages }) ?? paths.own);
  const items = updates
    .map((update) => ({ update, date: new Date(String(update.data?.['date'])) }))
    .filter(({ date }) => !Number.isNaN(date.getTime()))
    .toSorted((a, b) => b.date.getTime() - a.date.getTime())
    .slice(0, maxItems)
    .map((item) => writeItem(item, { id: page.id, url }));
  const text = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${plain(`${page.title} - ${visit.site.title}`)}</title>
<link>${url}</link>
<description>${plain(page.description ?? page.title)}</description>
<language>${languageOf(visited)}</language>
<atom:link href="${below(url, 'rss.xml')}" rel="self" type="application/rss+xml"/>
${items}</channel></rss>
`;
  return answerOf(`<?xml version="1.0" encoding="UTF-8"?>\n${text.toString()}`, {
    contentType: 'application/rss+xml; charset=utf-8',
  });
}

type Item = { update: DocumentBlock; date: Date };

function writeItem({ update, date }: Item, { id, url }: { id: string; url: string }): Html {
  const [heading] = headingsOf({ nodes: update.nodes ?? [] } as unknown as DocumentTree);
  const day = date.toISOString().slice(0, 10);
  const lines = linesOf(update.nodes ?? []);
  const text = lines.join('\n').slice(0, maxText);
  const link = heading?.id ? `${url}#${encodeURIComponent(heading.id)}` : url;
  const tags = ((update.data?.['tags'] ?? []) as { tag: string }[]).map(
    ({ tag }) => html`<category>${plain(tag)}</category>`,
  );
  return html`<item><title>${plain(heading?.title || day)}</title><link>${link}</link><guid isPermaLink="false">${id}/${day}/${heading?.id ?? ''}</guid><pubDate>${date.toUTCString()}</pubDate>${tags}<description>${plain(text)}</description></item>
`;
}

/** The `update` blocks of a document in order. */
function updatesIn(nodes: readonly DocumentNode[], found: DocumentBlock[] = []): DocumentBlock[] {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type === 'update') found.push(node);
    else for (const inside of partsOf(node)) updatesIn(inside, found);
  }
  return found;
}

/** The text of blocks, a line for each block without blocks inside. */
function linesOf(nodes: readonly DocumentNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.object !== 'block') return [];
    const parts = partsOf(node);
    const hasBlocks = parts.some((part) => part.some(({ object }) => object === 'block'));
    if (hasBlocks) return parts.flatMap((part) => linesOf(part));
    const words = wordsOf(node).trim();
    return words === '' ? [] : [words];
  });
}

function partsOf({ nodes = [], fragments = [] }: DocumentBlock): readonly (readonly DocumentNode[])[] {
  return [nodes, ...fragments.map((fragment) => fragment.nodes)];
}

/** Without the characters that no XML document may have. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what XML refuses
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
