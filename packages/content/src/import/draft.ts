import { newId } from '@bindery/runtime/ids';
import type { ComputedSource } from '@bindery/dialect/repository-format';

/** A page that was read from somewhere, while its links still are what they were there. */
export type Draft =
  | {
      kind: 'page';
      id: string;
      /** Shown where the page itself names none. */
      title: string;
      /** What the navigation calls the page: then that is the title, whatever the page says. */
      label?: string;
      /** Short title for the navigation. */
      linkTitle?: string;
      /** The whole file, frontmatter and heading included; absent for a page without content. */
      markdown?: string;
      /** Where it stood: the first decides what its relative links mean, all of them lead to it. */
      places: readonly [URL, ...URL[]] | readonly [];
      /** The URL that it was fetched from. */
      sourceUrl?: string;
      pages: Draft[];
    }
  | { kind: 'group'; id: string; title: string; pages: Draft[] }
  /** `target` is a URL, also of a place that another draft or a file has. */
  | { kind: 'link'; id: string; title: string; linkTitle?: string; target: URL }
  | { kind: 'computed'; id: string; title: string; computed: ComputedSource };

export type DraftPage = Extract<Draft, { kind: 'page' }>;

/** A file that may come along: when a page shows it or leads to it, or `isKept` says so anyway. `read` gives its bytes. */
export type DraftFile = { id: string; name: string; place: URL; isKept?: true; read(): Uint8Array | Promise<Uint8Array> };

/** A reusable content that comes along: pages show it. */
export type DraftInclude = { id: string; title: string; place: URL; markdown: string };

export function draftPage(page: Partial<Omit<DraftPage, 'kind' | 'id'>> & Pick<DraftPage, 'title'>): DraftPage {
  return { kind: 'page', id: newId(), places: [], pages: [], ...page };
}

/** All drafts of a list, each before those below it. */
export function* eachDraft(drafts: readonly Draft[]): Iterable<Draft> {
  for (const draft of drafts) {
    yield draft;
    if ('pages' in draft) yield* eachDraft(draft.pages);
  }
}

export function* eachDraftPage(drafts: readonly Draft[]): Iterable<DraftPage> {
  for (const draft of eachDraft(drafts)) if (draft.kind === 'page') yield draft;
}

const archive = new URL('https://archive.invalid/');
const archiveHost = /^archive(?:-\d+)?\.invalid$/;

/** The place of a file in an archive: a URL, so that links in it mean what they mean everywhere. */
export function placeInArchive(path: string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), archive);
}

/** Whether a place is in an archive: nothing can be fetched from there, and no reader can go there. */
export function isInArchive(url: URL): boolean {
  return archiveHost.test(url.host);
}

/** Content of an archive that is one of several: what has the same path in another one is something else. */
export function inArchive<Content extends { drafts: readonly Draft[]; files: readonly DraftFile[]; includes?: readonly DraftInclude[] }>(
  index: number,
  content: Content,
): Content {
  const move = (url: URL | undefined) => {
    if (url && isInArchive(url)) url.host = `archive-${index}.invalid`;
  };
  for (const draft of eachDraft(content.drafts)) {
    if (draft.kind === 'page') draft.places.forEach(move);
    if (draft.kind === 'link') move(draft.target);
  }
  for (const { place } of [...content.files, ...(content.includes ?? [])]) move(place);
  return content;
}
