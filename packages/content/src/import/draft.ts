import { newId } from '@bindery/runtime/ids';
import type { ComputedSource } from '@bindery/dialect/repository-format';

/** A page as read from its source, with the links of that source. */
export type Draft =
  | {
      kind: 'page';
      id: string;
      /** The title if the page's text has none. */
      title: string;
      /** The page's label in the navigation, which takes precedence over the title in its text. */
      label?: string;
      /** Short title for the navigation. */
      linkTitle?: string;
      /** The whole file, frontmatter and heading included; absent for a page without content. */
      markdown?: string;
      /**
       * The URLs of the page's source: its relative links resolve against the first, and links to any of them
       * lead to the page.
       */
      places: readonly [URL, ...URL[]] | readonly [];
      /** The URL from which the page was fetched. */
      sourceUrl?: string;
      pages: Draft[];
    }
  | { kind: 'group'; id: string; title: string; pages: Draft[] }
  /** `target` is a URL, possibly the place of another draft or file. */
  | { kind: 'link'; id: string; title: string; linkTitle?: string; target: URL }
  | { kind: 'computed'; id: string; title: string; computed: ComputedSource };

export type DraftPage = Extract<Draft, { kind: 'page' }>;

/**
 * A file that is imported if a page shows it or links to it, or if `isKept` is set. `read` returns its bytes.
 */
export type DraftFile = {
  id: string;
  name: string;
  place: URL;
  isKept?: true;
  read(): Uint8Array | Promise<Uint8Array>;
};

/** A reusable content that pages show. */
export type DraftInclude = { id: string; title: string; place: URL; markdown: string };

export function draftPage(
  page: Partial<Omit<DraftPage, 'kind' | 'id'>> & Pick<DraftPage, 'title'>,
): DraftPage {
  return { kind: 'page', id: newId(), places: [], pages: [], ...page };
}

/** Yields all drafts of a list, each before those below it. */
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

/** Returns the place of a file in an archive as a URL, so that its links resolve like any others. */
export function placeInArchive(path: string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), archive);
}

/** Tells whether a place is in an archive, where nothing can be fetched and no reader can go. */
export function isInArchive(url: URL): boolean {
  return archiveHost.test(url.host);
}

/**
 * Marks content as part of one of several archives, so that equal paths in different archives stay distinct.
 */
export function inArchive<
  Content extends {
    drafts: readonly Draft[];
    files: readonly DraftFile[];
    includes?: readonly DraftInclude[];
  },
>(index: number, content: Content): Content {
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
