import { leadsOutside } from '@bindery/contract/linkTarget';
import { folderOf, isMarkdown, nameWithoutEnding } from './paths.ts';
import type { PlannedPage } from './pagePlan.ts';
import type { LinkResult, RepositoryIndex } from './repositoryIndex.ts';
import type { SummaryEntry, SummaryPart } from './summary.ts';
import type { LinkTarget } from './types.ts';
import { quoted, type Warnings } from '../contentWarnings.ts';

type LinkEntry = Extract<SummaryEntry, { kind: 'link' }>;

/**
 * Converts the entries of SUMMARY.md to pages: the first entry of a file is its page; any other link stays a
 * link in its position.
 */
export function planFromSummary(
  parts: readonly SummaryPart[],
  {
    root,
    summary,
    repository,
    warnings,
  }: { root: string; summary: string; repository: RepositoryIndex; warnings: Warnings },
): PlannedPage[] {
  const resolved = new Map<LinkEntry, LinkResult>();
  const pages = new Set<string>();
  for (const entry of linkEntries(parts.flatMap(({ entries }) => entries))) {
    if (leadsOutside(entry.target)) continue;
    // A leading slash means the root; the rule that drops it resolves the target from the file's own folder.
    const folders = entry.target.startsWith('/') ? [folderOf(summary), root] : [folderOf(summary)];
    const found = repository.followPageLink(entry.target, { folders, roots: [root] });
    resolved.set(entry, found);
    if (typeof found === 'object' && found.anchor === undefined && isMarkdown(found.entry.path))
      pages.add(found.entry.path);
  }

  const taken = new Set<string>();
  return parts.flatMap(({ group, entries }): PlannedPage[] => {
    const children = entries.flatMap(planEntry);
    return group ? [{ kind: 'group', title: group.title, children }] : children;
  });

  function planEntry(entry: SummaryEntry): PlannedPage[] {
    const planned = entry.kind === 'link' ? planLink(entry) : planOther(entry);
    const children = entry.children.flatMap(planEntry);
    if ('children' in planned) return [{ ...planned, children }];
    if (children.length > 0)
      warn('summary_children', entry, 'only a page can have pages below it; these are beside it now.');
    return [planned, ...children];
  }

  function planOther(entry: Exclude<SummaryEntry, LinkEntry>): PlannedPage {
    return entry.kind === 'computed'
      ? { kind: 'computed', title: entry.label, computed: entry.computed }
      : { kind: 'empty', title: entry.label, children: [] };
  }

  function planLink(entry: LinkEntry): PlannedPage {
    const { label, target, linkTitle } = entry;
    const link = (to: LinkTarget, fallback = target): PlannedPage => ({
      kind: 'link',
      title: label || fallback,
      linkTitle,
      target: to,
    });
    const found = resolved.get(entry);
    if (found === undefined) return link(targetOfUrl(target));
    if (found === 'outside')
      warn('summary_outside', entry, `${quoted(target)} is outside of the content root; it became a link.`);
    if (found === 'missing')
      warn('summary_missing_file', entry, `${quoted(target)} does not exist; it became a link.`);
    if (typeof found === 'string') return link({ kind: 'url', url: target });

    const { path } = found.entry;
    const name = nameWithoutEnding(path);
    if (!isMarkdown(path)) return link({ kind: 'git-file', path }, name);
    if (found.anchor !== undefined) {
      if (pages.has(path)) return link({ kind: 'git-page', path, anchor: found.anchor }, name);
      warn(
        'summary_anchor',
        entry,
        `${quoted(target)} leads into a file that is not a page; it became a link.`,
      );
      return link({ kind: 'url', url: target }, name);
    }
    if (taken.has(path)) {
      warn(
        'summary_duplicate',
        entry,
        `${quoted(path)} is already listed; a file is one page, so this entry became a link to it.`,
      );
      return link({ kind: 'git-page', path }, name);
    }
    taken.add(path);
    return {
      kind: 'file',
      entry: found.entry,
      children: [],
      label: label || undefined,
      linkTitle,
    };
  }

  function warn(code: Parameters<Warnings['add']>[0], { line }: SummaryEntry, message: string): void {
    warnings.add(code, `Line ${line}: ${message}`, summary);
  }
}

/** Converts a URL to a target; the URL of a page in GitBook's application names another space. */
export function targetOfUrl(url: string): LinkTarget {
  const [, space, path] =
    /^https?:\/\/app\.gitbook\.com\/(?:o\/[^/?#]+\/)?s\/([^/?#]+)\/?([^]*)/i.exec(url) ?? [];
  if (space === undefined) return { kind: 'url', url };
  return { kind: 'space', space, path: path || undefined };
}

function* linkEntries(entries: readonly SummaryEntry[]): Iterable<LinkEntry> {
  for (const entry of entries) {
    if (entry.kind === 'link') yield entry;
    yield* linkEntries(entry.children);
  }
}
