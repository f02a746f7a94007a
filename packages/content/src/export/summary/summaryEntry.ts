import { nameWithoutEnding, type SummaryEntry } from '@bindery/dialect/repository-format';
import { hasTitles, isSameComputed, isSameUrl } from './navigation.ts';
import type { TargetReader } from './navigationTargets.ts';
import { findLinks } from './summaryLink.ts';
import type { EntryPage } from './summaryOutline.ts';
import { partsOf } from './summarySource.ts';
import { computedLines, labelForms, quotedTitle, textForms } from './summaryText.ts';

type LinkedPage = Extract<EntryPage, { kind: 'page' | 'link' }>;
type LinkEntry = Extract<SummaryEntry, { kind: 'link' }>;

/** Tells whether an entry is read as this page, regardless of its position. */
export function says(entry: SummaryEntry, page: EntryPage, targets: TargetReader): boolean {
  switch (page.kind) {
    case 'empty':
      return entry.kind === 'text' && entry.label === page.title;
    case 'computed':
      return entry.kind === 'computed' && isSameComputed(entry.computed, page.computed);
    case 'page':
    case 'link':
      return entry.kind === 'link' && leadsTo(entry, page, targets) && isTitled(entry, page, targets);
  }
}

function leadsTo({ target }: LinkEntry, page: LinkedPage, targets: TargetReader): boolean {
  const read = targets.read(target);
  if (page.kind === 'page')
    return read.kind === 'file' && read.path === page.file && read.anchor === undefined;
  if (page.target.kind === 'file')
    return read.kind === 'file' && read.path === page.target.path && read.anchor === page.target.anchor;
  // A file that is not a page is named by the URL as written.
  return read.kind === 'url' ? isSameUrl(target, page.target.url) : target === page.target.url;
}

function isTitled(
  { label, linkTitle, target }: Omit<LinkEntry, 'line' | 'children' | 'kind'>,
  page: LinkedPage,
  targets: TargetReader,
): boolean {
  if (page.kind === 'page')
    return hasTitles({ label: label || undefined, linkTitle: linkTitle || undefined }, page);
  const read = targets.read(target);
  const title = label || (read.kind === 'url' ? target : nameWithoutEnding(read.path));
  return title === page.title && linkTitle === page.linkTitle;
}

/** Writes the lines of an entry after its bullet, in GitBook's form. */
export function freshText(page: EntryPage, targets: TargetReader): string[] {
  if (page.kind === 'computed') return computedLines(page.computed);
  const forms = page.kind === 'empty' ? textForms(page.title) : linkForms(page, targets);
  return [forms.find((form) => isRead(form, page, targets)) ?? (forms.at(-1) as string)];
}

/**
 * Changes the inline text of an entry so that it is read as this page, and keeps as much of it as possible.
 */
export function changedText(
  content: string,
  { entry, page, targets }: { entry: SummaryEntry; page: EntryPage; targets: TargetReader },
): string[] {
  for (const candidate of candidates(content, { entry, page, targets }))
    if (isRead(candidate, page, targets)) return [candidate];
  return freshText(page, targets);
}

function* candidates(
  content: string,
  { entry, page, targets }: { entry: SummaryEntry; page: EntryPage; targets: TargetReader },
): Iterable<string> {
  if (page.kind === 'empty')
    yield* relabelled(content, { from: entry.label, to: page.title, forms: textForms });
  if ((page.kind !== 'page' && page.kind !== 'link') || entry.kind !== 'link') return;
  const target = leadsTo(entry, page, targets)
    ? undefined
    : targets.destination(page.kind === 'page' ? { kind: 'file', path: page.file } : page.target);
  for (const link of findLinks(content)) {
    for (const { label, title } of titlings(entry, page, targets)) {
      const labels =
        label === undefined
          ? [link.label]
          : [
              ...relabelled(link.label, { from: entry.label, to: label, forms: labelForms }),
              ...labelForms(label),
            ];
      for (const written of labels) {
        yield link.rewritten({ label: written, target, title: title && quotedTitle(title) });
      }
    }
  }
}

/** Yields the ways to give an entry the wanted titles; absent parts stay. */
function* titlings(
  entry: LinkEntry,
  page: LinkedPage,
  targets: TargetReader,
): Iterable<{ label?: string; title?: string | null }> {
  const title = page.linkTitle === entry.linkTitle ? {} : { title: page.linkTitle ?? null };
  if (isTitled(entry, page, targets)) yield {};
  else if (entry.label === page.title) yield title;
  yield { label: page.title, ...title };
}

/** Yields a text with other words in the same markup. */
function* relabelled(
  raw: string,
  { from, to, forms }: { from: string; to: string; forms(text: string): string[] },
): Iterable<string> {
  const [written = ''] = forms(from);
  const [wanted = ''] = forms(to);
  if (written !== '' && raw.includes(written)) yield raw.replace(written, () => wanted);
}

function linkForms(page: LinkedPage, targets: TargetReader): string[] {
  const target = targets.destination(page.kind === 'page' ? { kind: 'file', path: page.file } : page.target);
  const title = page.linkTitle === undefined ? '' : ` ${quotedTitle(page.linkTitle)}`;
  return labelForms(page.title).map((label) => `[${label}](${target}${title})`);
}

function isRead(text: string, page: EntryPage, targets: TargetReader): boolean {
  const [part, ...others] = partsOf(new TextEncoder().encode(`* ${text}\n`), '') ?? [];
  const [entry, ...more] = part?.entries ?? [];
  return (
    entry !== undefined &&
    others.length === 0 &&
    more.length === 0 &&
    entry.children.length === 0 &&
    says(entry, page, targets)
  );
}
