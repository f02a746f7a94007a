import type { ContentChange } from '@bindery/contract';
import { percentDecoded, type ContentReference } from '@bindery/dialect/links';
import type { FileItem } from '../store/items.ts';
import { refused } from './refuse.ts';

/** The names that a batch gives to its new pages and files. */
export type BatchNames = {
  /** Resolves a target such as `./intro.md#start` or `./logo.png` if it is one of these names. */
  find(target: string): ContentReference | undefined;
};

/**
 * Reads the `ref`s of a batch.
 *
 * @throws invalid_request for a duplicate `ref`, or one that is the path of a page
 */
export function readNames(
  changes: readonly ContentChange[],
  {
    pageIds,
    filesOf,
    isPath,
  }: {
    pageIds: readonly string[];
    filesOf: (change: number) => readonly FileItem[];
    isPath: (path: string) => boolean;
  },
): BatchNames {
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  const claim = (
    names: Map<string, string>,
    ref: string | undefined,
    { id, change, field }: { id: string; change: number; field: string },
  ) => {
    if (ref === undefined) return;
    if (pages.has(ref) || files.has(ref)) throw refused(change, field, 'must be unique in the request.');
    if (isPath(ref)) throw refused(change, field, 'must not be the path of a page.');
    names.set(ref, id);
  };
  for (const [change, given] of changes.entries()) {
    if (given.operation === 'insert_page')
      claim(pages, given.ref, { id: pageIds[change] ?? '', change, field: 'ref' });
    if (given.operation !== 'insert_files') continue;
    for (const [at, file] of given.files.entries())
      claim(files, file.ref, { id: filesOf(change)[at]?.id ?? '', change, field: `files[${at}].ref` });
  }
  return {
    find: (target) => {
      if (pages.size === 0 && files.size === 0) return undefined;
      const hash = target.indexOf('#');
      const anchor = hash === -1 ? '' : target.slice(hash + 1);
      const written = (hash === -1 ? target : target.slice(0, hash)).replace(/^\.\//, '');
      for (const name of [percentDecoded(written) ?? written, written]) {
        const page = pages.get(name.replace(/\.md$/, '')) ?? pages.get(name);
        if (page !== undefined)
          return anchor === '' ? { kind: 'page', page } : { kind: 'anchor', anchor, page };
        const file = files.get(name);
        if (file !== undefined) return { kind: 'file', file };
      }
      return undefined;
    },
  };
}
