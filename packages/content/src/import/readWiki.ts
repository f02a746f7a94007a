import { isWebTarget } from '@bindery/contract/linkTarget';
import { newId } from '@bindery/runtime/ids';
import { isMarkdown, nameOf, nameWithoutEnding } from '@bindery/dialect/repository-format';
import { percentDecoded } from '@bindery/dialect/links';
import { draftPage, placeInArchive, type Draft, type DraftFile, type DraftPage } from './draft.ts';

type WikiFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Reads a GitHub wiki: every Markdown file is a page, in any folder, found by its name alone. Home comes
 * first, then the pages in the order and nesting of `_Sidebar`, then the others by name.
 *
 * @param files  bytes by path
 * @param url    the wiki's address on the web, which links to its pages may use
 */
export function readWiki(files: WikiFiles, { url }: { url: URL }): { drafts: Draft[]; files: DraftFile[] } {
  const texts = [...files]
    .filter(([path]) => isMarkdown(path))
    .map(([path, bytes]) => ({ path, name: nameWithoutEnding(path), text: new TextDecoder().decode(bytes) }))
    .sort(
      (one, other) =>
        one.name.localeCompare(other.name, 'en', { numeric: true }) || (one.path < other.path ? -1 : 1),
    );
  const names = new Map<string, string>();
  for (const { name } of texts) if (!names.has(keyOf(name))) names.set(keyOf(name), name);

  const pages = new Map<string, DraftPage>();
  for (const { path, name, text } of texts) {
    if (name.startsWith('_') || pages.has(keyOf(name))) continue;
    const title = name.replaceAll(/[-_]+/g, ' ').trim() || 'Untitled';
    const onSite = new URL(`${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(name)}`, url);
    const places: [URL, ...URL[]] = [
      placeInArchive(name),
      placeInArchive(path),
      onSite,
      ...(keyOf(name) === 'home' ? [url] : []),
    ];
    pages.set(keyOf(name), draftPage({ title, markdown: withPlainLinks(text, { names, files }), places }));
  }
  const sidebar = texts.find(({ name }) => name.toLowerCase() === '_sidebar');
  const home = pages.get('home');
  const placed = new Set<DraftPage>(home ? [home] : []);
  const listed = sidebar
    ? readSidebar(withPlainLinks(sidebar.text, { names, files }), { pages, placed })
    : [];
  return {
    drafts: [...(home ? [home] : []), ...listed, ...[...pages.values()].filter((page) => !placed.has(page))],
    files: [...files]
      .filter(([path]) => !isMarkdown(path))
      .map(([path, bytes]) => ({
        id: newId(),
        name: nameOf(path),
        place: placeInArchive(path),
        read: () => bytes,
      })),
  };
}

/** Pages are found by name, ignoring case and the choice of spaces or hyphens. */
function keyOf(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-');
}

/**
 * Converts `[[Page]]`, `[[Text|Page]]` and `[[image.png|alt=Text]]` to Markdown links and images, except in
 * code.
 */
function withPlainLinks(
  text: string,
  { names, files }: { names: ReadonlyMap<string, string>; files: WikiFiles },
): string {
  return text.replaceAll(
    /(```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]*`)|\[\[([^[\]\n]{1,500})\]\]/g,
    (whole, code: string | undefined, inside: string) => {
      if (code !== undefined) return whole;
      const [first = '', second = ''] = inside.split('|').map((part) => part.trim());
      if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(first))
        return `![${escaped(/^alt=(.*)$/.exec(second)?.[1] ?? '')}](<${fileTarget(first, files)}>)`;
      const target = second === '' ? first : second;
      if (isWebTarget(target)) return `[${escaped(first)}](<${target}>)`;
      const [page = '', anchor] = target.split('#');
      const name = names.get(keyOf(page.trim())) ?? page.trim().replaceAll(' ', '-');
      return `[${escaped(first)}](<${encodeURIComponent(name)}${anchor === undefined ? '' : `#${anchor}`}>)`;
    },
  );
}

/** Resolves an image of a wiki by its path from the root, or by its name alone. */
function fileTarget(written: string, files: WikiFiles): string {
  if (isWebTarget(written)) return written;
  const path = written.replace(/^\/+/, '');
  const found = files.has(path) ? path : [...files.keys()].find((name) => nameOf(name) === nameOf(path));
  return `/${encodeURI(found ?? path)}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`);
}

/** Reads a sidebar's links to pages of this wiki; indented entries are below the entry above them. */
function readSidebar(
  text: string,
  { pages, placed }: { pages: ReadonlyMap<string, DraftPage>; placed: Set<DraftPage> },
): Draft[] {
  const top: Draft[] = [];
  const open: { indent: number; page: DraftPage }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const target = /\]\(\s*<?([^)>\s]+)/.exec(line)?.[1];
    const page = target === undefined ? undefined : pages.get(keyOf(nameInTarget(target)));
    if (!page || placed.has(page)) continue;
    placed.add(page);
    const indent = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    (open.at(-1)?.page.pages ?? top).push(page);
    open.push({ indent, page });
  }
  return top;
}

function nameInTarget(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return nameOf(percentDecoded(path) ?? path);
}
