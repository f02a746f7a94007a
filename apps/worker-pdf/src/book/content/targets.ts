import { excerptsFor, type FileItem } from '@bindery/content';
import { pictureTypes, type DocumentTree } from '@bindery/contract';
import { referencesOf } from '@bindery/dialect';
import type { ContentReference } from '@bindery/dialect/links';
import { openapiBlocksIn } from '@bindery/dialect/openapi';
import { Member } from '@bindery/models';
import { idOfAnchor, idOfPage, type LinkTarget, type PageFile } from '@bindery/render';
import { maxBytesOfPicture } from '../plan/limits.ts';
import type { BookContent } from './bookContent.ts';

/**
 * The targets of links by the JSON of the reference, pictures and downloads by the id of the file, and the
 * parts of specifications that the page shows, by the name of the specification.
 */
export type Targets = {
  links: Map<string, LinkTarget>;
  files: Map<string, PageFile>;
  specs: Map<string, object>;
};

/** `missing`: the pictures that cannot be printed, each by its name or address. */
export type FoundTargets = Targets & { missing: Set<string> };

/** Further people mentioned on a page have no names. */
const maxPeople = 200;

/** Where links of a book lead: to its own pages where it has them, else into the application. */
export type BookLinks = {
  content: BookContent;
  /** Files that only an earlier revision may have. */
  earlierFiles?: ReadonlyMap<string, FileItem> | undefined;
  spaceTitle: string;
  /** Whether the book prints this page. */
  isPrinted: (page: string) => boolean;
  /** Called for each link to a heading of a printed page. */
  onAnchor: (link: { id: string; page: string }) => void;
};

/**
 * Collects the targets of a document.
 *
 * A PDF outlives permissions and is passed on: it names no page, space or collection outside of its own
 * space, and no address that works without a token.
 */
export async function targetsOf(document: DocumentTree, book: BookLinks): Promise<FoundTargets> {
  const specs = await excerptsFor(openapiBlocksIn(document), book.content.specs);
  const targets: FoundTargets = { links: new Map(), files: new Map(), specs, missing: new Set() };
  const people = new Set<string>();
  for (const { ref, use } of referencesOf(document)) {
    if (use === 'image' && ref?.kind === 'url') targets.missing.add(ref.url);
    if (!ref || ref.kind === 'url') continue;
    if (ref.kind === 'user' && people.size < maxPeople) people.add(ref.user);
    if (ref.kind === 'file') {
      addFile(targets.files, ref.file, book);
      const file = targets.files.get(ref.file);
      if (use === 'image' && !file?.src) targets.missing.add(file?.name ?? ref.file);
    }
    const target = linkTo(ref, book);
    if (target) targets.links.set(JSON.stringify(ref), target);
  }
  const names = await namesOf([...people], book.content.revision.organization);
  for (const [user, title] of names) targets.links.set(JSON.stringify({ kind: 'user', user }), { title });
  return targets;
}

export function linkTo(ref: ContentReference, book: BookLinks): LinkTarget | undefined {
  const { content, spaceTitle, isPrinted, onAnchor } = book;
  const { space: own, tree, appUrl } = content.references;
  const inSpace = (space = own) => `${appUrl}/s/${space}`;
  switch (ref.kind) {
    case 'page':
    case 'anchor': {
      if (ref.page === undefined) return undefined;
      const anchor = ref.kind === 'anchor' ? ref.anchor : undefined;
      const behind = anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`;
      const outside = `${inSpace(ref.space)}/~/pages/${encodeURIComponent(ref.page)}${behind}`;
      if (ref.space !== undefined && ref.space !== own)
        return { title: 'A page of another space', href: outside };
      const title = tree.page(ref.page)?.page.title;
      if (title === undefined) return undefined;
      if (!isPrinted(ref.page)) return { title, href: outside };
      if (anchor === undefined) return { title, href: `#${idOfPage(ref.page)}` };
      const id = idOfAnchor(ref.page, anchor);
      onAnchor({ id, page: idOfPage(ref.page) });
      return { title, href: `#${id}` };
    }
    case 'space':
      return { title: ref.space === own ? spaceTitle : 'Another space', href: inSpace(ref.space) };
    case 'collection':
      return { title: 'A collection', href: `${appUrl}/c/${ref.collection}` };
    case 'file': {
      const name = fileWithId(ref.file, book)?.name;
      return name === undefined ? undefined : { title: name, href: fileHref(ref.file, book) };
    }
    case 'user':
    case 'reusable-content':
    case 'openapi':
    case 'url':
      return undefined;
  }
}

function addFile(files: Targets['files'], id: string, book: BookLinks): void {
  const file = fileWithId(id, book);
  if (!file) return;
  const isPicture = pictureTypes.has(file.contentType) && file.sizeBytes <= maxBytesOfPicture;
  files.set(id, {
    name: file.name,
    size: file.sizeBytes,
    href: fileHref(id, book),
    src: isPicture ? `https://render.invalid/${picturePath(file)}` : undefined,
  });
}

/** The path under which Chromium asks for a picture: equal pictures have one path. */
export function picturePath({ blob }: Pick<FileItem, 'blob'>): string {
  return `files/${blob}`;
}

export function fileWithId(
  id: string,
  { content, earlierFiles }: Pick<BookLinks, 'content' | 'earlierFiles'>,
): FileItem | undefined {
  return content.files.get(id) ?? earlierFiles?.get(id);
}

function fileHref(id: string, { content: { references } }: BookLinks): string {
  return `${references.appUrl}/s/${references.space}/~/files/${encodeURIComponent(id)}`;
}

/** The names of members; nobody learns the name of somebody else by writing an id. */
async function namesOf(ids: readonly string[], organization: string): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const members = await Member.find({ organization, user: { $in: ids } }, { user: 1, displayName: 1 }).lean<
    { user: string; displayName: string }[]
  >();
  return new Map(members.map(({ user, displayName }) => [user, displayName]));
}
