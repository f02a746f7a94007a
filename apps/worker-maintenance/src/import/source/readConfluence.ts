import { draftPage, pageFile, placeInArchive, titleOf, type DraftPage } from '@bindery/content/import';
import type { ArchiveFiles } from '../archive/cleanFiles.ts';
import { filesOf, folderOf, nameOf, withoutEnding } from '../archive/filesOf.ts';
import type { Gathering } from '../gathering.ts';
import { attribute, eachElement, findElement, hasClass, textOf } from '../html/elements.ts';
import type { Element, ElementContent, Root } from '../html/htmlTree.ts';
import { parseHtml, tooDeepMessage } from '../html/parseHtml.ts';
import { readHtml, type HtmlShape } from '../html/readHtml.ts';
import type { SourceContent } from './source.ts';

const isPage = (path: string) => /\.html$/i.test(path);

/**
 * Whether files are an export of Confluence, which writes an index of its pages, and marks the text of each.
 */
export function isConfluenceExport(files: ArchiveFiles): boolean {
  const index = indexOf(files);
  if (index === undefined) return false;
  const folder = folderOf(index);
  return [...files].some(
    ([path, bytes]) =>
      isPage(path) &&
      path !== index &&
      folderOf(path) === folder &&
      /id="(?:main-content|title-text|breadcrumbs)"/.test(bytes.toString('utf8')),
  );
}

/**
 * Reads an export of Confluence: its index gives the order and the tree of the pages, or without one the
 * breadcrumbs on each page.
 */
export function readConfluence(files: ArchiveFiles, { tell, skip }: Gathering): SourceContent {
  const index = indexOf(files) as string;
  const folder = folderOf(index);
  const pathOf = (href: string) => {
    const name = decoded(href.split(/[?#]/, 1)[0] ?? '');
    return folder === '' ? name : `${folder}/${name}`;
  };
  const pages = new Map<string, DraftPage>();
  const crumbs = new Map<string, string>();
  const paths = [...files.keys()].filter((path) => isPage(path) && path !== index);
  for (const [done, path] of paths.entries()) {
    tell({ kind: 'stage', stage: 'read', done, total: paths.length });
    const root = parseHtml((files.get(path) as Buffer).toString('utf8'), () =>
      tell({ kind: 'warning', message: tooDeepMessage, path }),
    );
    const above = lastCrumb(root);
    if (above !== undefined && pathOf(above) !== index) crumbs.set(path, pathOf(above));
    const { title = withoutEnding(nameOf(path)), body } = readHtml(root, shape);
    if (body === '' && !findCrumbs(root)) skip('The page has no text that could be imported.', path);
    else
      pages.set(
        path,
        draftPage({ title, markdown: pageFile({ title, body }), places: [placeInArchive(path)] }),
      );
  }
  const placed = new Set<DraftPage>();
  const top: DraftPage[] = [];
  const tree = listOf(parseHtml((files.get(index) as Buffer).toString('utf8')));
  const place = (entries: readonly IndexEntry[], into: DraftPage[] | DraftPage['pages']) => {
    for (const { href, entries: below } of entries) {
      const page = pages.get(pathOf(href));
      if (page && !placed.has(page)) {
        placed.add(page);
        into.push(page);
      }
      place(below, page ? page.pages : into);
    }
  };
  place(tree, top);
  for (const [path, page] of pages) {
    if (placed.has(page)) continue;
    const above = pages.get(crumbs.get(path) ?? '');
    // Circular breadcrumbs would remove the pages from the tree.
    if (above && above !== page && !isBelow(above, page)) above.pages.push(page);
    else top.push(page);
    placed.add(page);
  }
  return { drafts: top, files: filesOf(files, isPage) };
}

function indexOf(files: ArchiveFiles): string | undefined {
  return [...files.keys()]
    .filter((path) => nameOf(path) === 'index.html')
    .sort((one, other) => one.length - other.length)[0];
}

type IndexEntry = { href: string; entries: IndexEntry[] };

/** Parses the nested list of the index. */
function listOf(root: Root): IndexEntry[] {
  const list = findElement(root, ({ tagName }) => tagName === 'ul');
  const read = (element: Element): IndexEntry[] =>
    elementsIn(element).flatMap((child) => {
      if (child.tagName === 'ul') return read(child);
      const link = elementsIn(child).find(({ tagName }) => tagName === 'a');
      const below = elementsIn(child)
        .filter(({ tagName }) => tagName === 'ul')
        .flatMap(read);
      const href = link && attribute(link, 'href');
      return href === undefined ? below : [{ href, entries: below }];
    });
  return list ? read(list) : [];
}

function elementsIn({ children }: Element): Element[] {
  return children.filter((child): child is Element => child.type === 'element');
}

function findCrumbs(root: Root): Element | undefined {
  return findElement(root, (element) => attribute(element, 'id') === 'breadcrumbs');
}

function lastCrumb(root: Root): string | undefined {
  const crumbs = findCrumbs(root);
  const links = crumbs ? [...eachElement(crumbs)].filter(({ tagName }) => tagName === 'a') : [];
  const last = links.at(-1);
  return last && attribute(last, 'href');
}

function isBelow(page: DraftPage, above: DraftPage): boolean {
  const open = [...above.pages];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next === page) return true;
    if ('pages' in next) open.push(...next.pages);
  }
  return false;
}

const shape: HtmlShape = {
  // The title is `Name of the space : Name of the page`.
  titleOf: (root) => {
    const heading =
      findElement(root, (element) => attribute(element, 'id') === 'title-text') ??
      findElement(root, ({ tagName }) => tagName === 'title');
    return heading && (titleOf(textOf(heading).replace(/^.{1,200}? : /, '')) || undefined);
  },
  change: (main) => {
    for (const element of eachElement(main)) {
      if (hasClass(element, 'emoticon')) element.children = [text(attribute(element, 'alt') ?? '')];
      if (hasClass(element, 'emoticon')) element.tagName = 'span';
      if (hasClass(element, 'inline-task-list')) for (const task of elementsIn(element)) markTask(task);
      if (hasClass(element, 'expand-container')) foldUp(element);
    }
  },
};

function markTask(task: Element): void {
  const checked = hasClass(task, 'checked');
  task.children.unshift({
    type: 'element',
    tagName: 'input',
    properties: { type: 'checkbox', checked },
    children: [],
  });
}

function foldUp(container: Element): void {
  const control = findElement(container, (element) => hasClass(element, 'expand-control-text'));
  const content = findElement(container, (element) => hasClass(element, 'expand-content'));
  if (!content) return;
  const summary: Element = {
    type: 'element',
    tagName: 'summary',
    properties: {},
    children: [text(control ? textOf(control) : 'More')],
  };
  container.tagName = 'details';
  container.children = [summary, ...content.children];
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
