import { newId } from '@bindery/runtime/ids';
import {
  isInside,
  isMarkdown,
  join,
  nameOf,
  type ContentWarning,
  type ImportedPage,
  type LinkTarget,
  type RepositoryFiles,
  type TreeEntry,
} from '@bindery/dialect/repository-format';
import { readSpaceContent } from '@bindery/dialect/repository-reader';
import { draftPage, placeInArchive, type Draft, type DraftFile, type DraftInclude } from './draft.ts';

export type ReadFolder = {
  drafts: Draft[];
  /** The files that pages show or link to, and those in the folder of uploaded files. */
  files: DraftFile[];
  includes: DraftInclude[];
  warnings: ContentWarning[];
};

/**
 * Reads a folder of Markdown and other files in the repository format: SUMMARY.md is respected, otherwise
 * folders become parent pages, with their README as the page. A single folder around all files is ignored.
 *
 * @param files   bytes by path
 * @param alsoAt  further paths under which links refer to a file, such as its path before the conversion to
 *   Markdown
 * @throws JobError `too_large`, `limit`
 */
export async function readFolder(
  files: ReadonlyMap<string, Uint8Array>,
  { alsoAt = () => [] }: { alsoAt?: (path: string) => readonly string[] } = {},
): Promise<ReadFolder> {
  const root = commonFolder([...files.keys()]);
  const inner =
    root === '' ? files : new Map([...files].map(([path, bytes]) => [path.slice(root.length + 1), bytes]));
  const content = await readSpaceContent(asRepository(inner), { projectDirectory: '' });
  const place = (path: string) => placeInArchive(join(root, path));
  const placesOf = (path: string): [URL, ...URL[]] => [
    place(path),
    ...shortForms(path).map((form) => place(form)),
    ...alsoAt(join(root, path)).map((form) => placeInArchive(form)),
  ];

  const draftOf = (page: ImportedPage): Draft => {
    const { title } = page;
    switch (page.type) {
      case 'group':
        return { kind: 'group', id: newId(), title, pages: page.pages.map(draftOf) };
      case 'computed':
        return { kind: 'computed', id: newId(), title, computed: page.computed };
      case 'link':
        return {
          kind: 'link',
          id: newId(),
          title,
          linkTitle: page.linkTitle,
          target: urlOf(page.target, place),
        };
      case 'document':
        return draftPage({
          title,
          label: content.configuration.summary === undefined ? undefined : title,
          linkTitle: page.linkTitle,
          ...(page.git && { places: placesOf(page.git.path), markdown: textOf(inner.get(page.git.path)) }),
          pages: page.pages.map(draftOf),
        });
    }
  };
  return {
    drafts: content.pages.map(draftOf),
    files: content.files.map(({ name, git }) => ({
      id: newId(),
      name,
      place: place(git.path),
      // The reader of the folder has already selected the files of the content.
      isKept: true,
      read: () => inner.get(git.path) as Uint8Array,
    })),
    includes: content.includes.map(({ title, git }) => ({
      id: newId(),
      title,
      place: place(git.path),
      markdown: textOf(inner.get(git.path)),
    })),
    warnings: content.warnings,
  };
}

/** The deepest folder that contains all files; empty when there is none. */
function commonFolder(paths: readonly string[]): string {
  let folder = '';
  for (;;) {
    const [first] = paths[0]?.slice(folder === '' ? 0 : folder.length + 1).split('/') ?? [];
    const inner = first === undefined ? undefined : join(folder, first);
    if (inner === undefined || !paths.every((path) => path !== inner && isInside(path, inner))) return folder;
    folder = inner;
  }
}

/** Forms of a path in links, which may omit the extension, and name the folder of a README. */
function shortForms(path: string): string[] {
  if (!isMarkdown(path)) return [];
  const withoutEnding = path.replace(/\.[^./]+$/, '');
  return /^readme$/i.test(nameOf(withoutEnding))
    ? [path.slice(0, -nameOf(path).length), withoutEnding]
    : [withoutEnding];
}

function urlOf(target: LinkTarget, place: (path: string) => URL): URL {
  switch (target.kind) {
    case 'url':
      return URL.parse(target.url) ?? place(target.url);
    case 'space':
      return new URL(`https://app.gitbook.com/s/${encodeURIComponent(target.space)}/${target.path ?? ''}`);
    case 'git-file':
      return place(target.path);
    case 'git-page': {
      const url = place(target.path);
      url.hash = target.anchor ?? '';
      return url;
    }
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Uses paths as ids, because each file is read only once. */
function asRepository(files: ReadonlyMap<string, Uint8Array>): RepositoryFiles {
  const entries = new Map<string, TreeEntry>();
  for (const [path, bytes] of files)
    entries.set(path, { path, oid: path, mode: '100644', sizeBytes: bytes.length });
  return {
    entries,
    readBlobs: async (oids) =>
      new Map(oids.flatMap((oid) => (files.has(oid) ? [[oid, files.get(oid) as Uint8Array] as const] : []))),
  };
}
