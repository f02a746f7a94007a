import { leadsOutside } from '@bindery/contract/linkTarget';
import { folderOf, isMarkdown, indexRepository, type TreeEntry } from '@bindery/dialect/repository-format';
import { unescaped } from '@bindery/dialect/syntax';
import { destination, targetOfPath, type TargetStyle } from './summaryText.ts';
import type { NavigationTarget } from '../types.ts';

/** Reads and writes the targets of one SUMMARY.md, for one state of the repository's files. */
export type TargetReader = {
  /** Reads a target like the importer, after escapes are removed; ignores which files are pages. */
  read(target: string): NavigationTarget;
  /** Writes a target, without escapes, that is read as this one; the same for every file. */
  write(target: NavigationTarget): string;
  /** Writes a target as the destination of a link in this file. */
  destination(target: NavigationTarget): string;
  has(path: string): boolean;
};

/** GitBook's style. */
export const plainStyle: TargetStyle = { escapesUnderscores: false, encodesSpaces: false };

export function targetReader(
  entries: ReadonlyMap<string, TreeEntry>,
  { root, summary, style = plainStyle }: { root: string; summary: string; style?: TargetStyle },
): TargetReader {
  const repository = indexRepository(entries);
  const folder = folderOf(summary);
  const written = (target: NavigationTarget, as: TargetStyle) =>
    target.kind === 'url'
      ? destination(target.url, as)
      : targetOfPath(target.path, {
          from: summary,
          style: as,
          anchor: target.anchor || undefined,
        });
  return {
    read(target) {
      if (leadsOutside(target)) return { kind: 'url', url: target };
      const folders = target.startsWith('/') ? [folder, root] : [folder];
      const found = repository.followPageLink(target, { folders, roots: [root] });
      if (typeof found === 'string') return { kind: 'url', url: target };
      const { path } = found.entry;
      return {
        kind: 'file',
        path,
        anchor: isMarkdown(path) ? found.anchor : undefined,
      };
    },
    write: (target) => {
      const text = written(target, plainStyle);
      return unescaped(text.startsWith('<') ? text.slice(1, -1) : text);
    },
    destination: (target) => written(target, style),
    has: (path) => entries.has(path),
  };
}
