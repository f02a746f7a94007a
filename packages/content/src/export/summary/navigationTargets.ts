import { leadsOutside } from '@bindery/contract/linkTarget';
import { folderOf, isMarkdown, indexRepository, type TreeEntry } from '@bindery/dialect/repository-format';
import { unescaped } from '@bindery/dialect/syntax';
import { destination, targetOfPath, type TargetStyle } from './summaryText.ts';
import type { NavigationTarget } from '../types.ts';

/** What targets of one SUMMARY.md mean among the files of one time. */
export type TargetReader = {
  /** As the importer reads a target, escapes undone; which files are pages is not looked at. */
  read(target: string): NavigationTarget;
  /** A target that is read as this one, escapes undone; the same in every file. */
  write(target: NavigationTarget): string;
  /** One as it stands in a link of this file. */
  destination(target: NavigationTarget): string;
  has(path: string): boolean;
};

/** GitBook's. */
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
      : targetOfPath(target.path, { from: summary, style: as, ...(target.anchor && { anchor: target.anchor }) });
  return {
    read(target) {
      if (leadsOutside(target)) return { kind: 'url', url: target };
      const folders = target.startsWith('/') ? [folder, root] : [folder];
      const found = repository.followPageLink(target, { folders, roots: [root] });
      if (typeof found === 'string') return { kind: 'url', url: target };
      const { path } = found.entry;
      return { kind: 'file', path, ...(found.anchor !== undefined && isMarkdown(path) && { anchor: found.anchor }) };
    },
    write: (target) => {
      const text = written(target, plainStyle);
      return unescaped(text.startsWith('<') ? text.slice(1, -1) : text);
    },
    destination: (target) => written(target, style),
    has: (path) => entries.has(path),
  };
}
