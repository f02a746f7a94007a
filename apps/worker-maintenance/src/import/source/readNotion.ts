import { draftPage, pageFile, placeInArchive, titleOf, type DraftPage } from '@bindery/content/import';
import { rewriteTargets } from '@bindery/dialect/links';
import type { ArchiveFiles } from '../archive/cleanFiles.ts';
import { filesOf, folderOf, nameOf, withoutEnding } from '../archive/filesOf.ts';
import type { Gathering } from '../gathering.ts';
import { parseHtml, tooDeepMessage } from '../html/parseHtml.ts';
import { readHtml } from '../html/readHtml.ts';
import { csvTable } from './csvTable.ts';
import type { SourceContent } from './source.ts';

/** Notion appends the id of the page to each name. */
const id = /[ -]([0-9a-f]{32})(?=\.[a-z]+$|$)/i;
const isPage = (path: string) => /\.(?:md|html)$/i.test(path) || isDatabase(path);
const isDatabase = (path: string) => /\.csv$/i.test(path) && id.test(path);

export function isNotionExport(files: ArchiveFiles): boolean {
  return [...files.keys()].some((path) => /\.(?:md|html|csv)$/i.test(path) && id.test(nameOf(path)));
}

/**
 * Reads an export of Notion, as Markdown or HTML: ids are removed from the names, a page's subpages are in
 * the folder of its name, in the order in which the page links to them. A database is a page with its table.
 */
export function readNotion(files: ArchiveFiles, { tell, skip }: Gathering): SourceContent {
  const pages = new Map<string, DraftPage>();
  // The complete table of a database, with every row, is in a file of its own.
  const paths = [...files.keys()].filter(
    (path) => isPage(path) && !/_all\.csv$/i.test(path) && nameOf(path) !== 'index.html',
  );
  paths.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const [index, path] of paths.entries()) {
    tell({ kind: 'stage', stage: 'read', done: index, total: paths.length });
    // A database that is also a page was exported as both; the page contains more.
    if (isDatabase(path) && pages.has(folderKey(withoutEnding(path)))) continue;
    const page = readPage(path, files, () => tell({ kind: 'warning', message: tooDeepMessage, path }));
    if (page) pages.set(folderKey(withoutEnding(path)), page);
    else skip('The page has no text that could be imported.', path);
  }
  const top: DraftPage[] = [];
  for (const [key, page] of pages) {
    const above = nearestAbove(key, pages);
    (above ? above.pages : top).push(page);
  }
  for (const page of pages.values()) orderByLinks(page);
  return { drafts: top, files: filesOf(files, isPage) };
}

function readPage(path: string, files: ArchiveFiles, onTooDeep: () => void): DraftPage | undefined {
  const bytes = files.get(path) as Buffer;
  const title = titleOf(withoutEnding(nameOf(path)).replace(id, '')) || 'Untitled';
  const places: [URL] = [placeInArchive(path)];
  if (/\.md$/i.test(path)) return draftPage({ title, markdown: bytes.toString('utf8'), places });
  if (isDatabase(path)) {
    const whole = files.get(path.replace(/\.csv$/i, '_all.csv')) ?? bytes;
    return draftPage({
      title,
      markdown: pageFile({ title, body: csvTable(whole.toString('utf8')) }),
      places,
    });
  }
  const { title: found, body } = readHtml(parseHtml(bytes.toString('utf8'), onTooDeep));
  return body === '' && found === undefined
    ? undefined
    : draftPage({ title: found ?? title, markdown: pageFile({ title: found ?? title, body }), places });
}

/** Returns a path without ids: only older exports add the page's id to folders of subpages. */
function folderKey(path: string): string {
  return path
    .split('/')
    .map((segment) => segment.replace(id, '').trim())
    .join('/');
}

function nearestAbove(key: string, pages: ReadonlyMap<string, DraftPage>): DraftPage | undefined {
  for (let folder = folderOf(key); folder !== ''; folder = folderOf(folder)) {
    const page = pages.get(folder);
    if (page) return page;
  }
  return undefined;
}

function orderByLinks({ pages, markdown, places }: DraftPage): void {
  if (pages.length < 2 || markdown === undefined) return;
  const order = new Map<string, number>();
  rewriteTargets(markdown, (target) => {
    const url = URL.parse(target, places[0]?.href);
    if (url && !order.has(url.pathname)) order.set(url.pathname, order.size);
    return undefined;
  });
  const rankOf = (page: (typeof pages)[number]) =>
    (page.kind === 'page' ? order.get(page.places[0]?.pathname ?? '') : undefined) ?? order.size;
  pages.sort((one, other) => rankOf(one) - rankOf(other));
}
