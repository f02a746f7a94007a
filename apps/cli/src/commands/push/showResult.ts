import type { GitImportChanges } from '@bindery/contract';
import { plain } from '../api/plain.ts';
import { formatOf, type ReportEntry } from '../report.ts';
import type { FolderResult } from './sendFolder.ts';

export type PushOutcome = FolderResult & {
  dryRun: boolean;
  merged: boolean;
  /** Nothing was merged, because the content has changed since the conflicts were looked for. */
  overtaken?: true;
  /** URL of the change request, and its number. */
  url?: string;
  number?: number;
};

/** Chooses the form of a result; part of the options of a command. */
export const pushFormatOption = {
  format: { value: 'FORMAT', help: 'text, json, github (annotations of a workflow) or junit.' },
};

/**
 * Chooses how a push is shown.
 *
 * @throws Refusal for an unknown format
 */
export function pushFormatOf(name = 'text'): (title: string, outcome: PushOutcome) => string {
  if (name === 'text') return (_title, outcome) => asText(outcome);
  if (name === 'json') return (_title, outcome) => `${JSON.stringify(outcome, null, 2)}\n`;
  const format = formatOf(name);
  return (title, outcome) => format({ title, entries: entriesOf(outcome) });
}

function asText(outcome: PushOutcome): string {
  const { changes } = outcome;
  const lines = namedChanges(changes).map(({ verb, title, place }) => `${verb} ${title} (${place})`);
  const { entries } = changes.omitted;
  if (entries > 0) lines.push(`and ${entries} more`);
  return [...lines, ...summaryOf(outcome)].map((line) => `${plain(line)}\n`).join('');
}

/** The last lines of a push: what was done, and where to look at it. */
function summaryOf(outcome: PushOutcome): string[] {
  const { changes, unchanged, dryRun, merged, overtaken, conflicts, withheld, url } = outcome;
  const lines: string[] = [];
  if (unchanged) lines.push('Nothing to do: the content is there already.');
  else lines.push(`${dryRun || withheld ? 'Would change' : 'Sent'}: ${countsOf(changes)}.`);
  if (conflicts > 0) {
    const edits = conflicts === 1 ? 'Edits of one thing' : `Edits of ${conflicts} things`;
    lines.push(`${edits} would be lost${withheld ? '' : ' in a merge'}: ${namesOf(outcome)}.`);
  }
  if (withheld)
    lines.push(
      dryRun
        ? 'Nothing would be sent, because the change request itself has such edits.'
        : 'Nothing is sent, because the change request itself has such edits: take them over into the folder, ' +
            'or push to another change request.',
    );
  if (merged) lines.push('Merged into the main content.');
  if (overtaken)
    lines.push('Nothing is merged, because the content has changed since it was checked: push again.');
  if (url !== undefined) lines.push(url);
  return lines;
}

function namesOf({ conflicting, conflicts }: PushOutcome): string {
  const names = conflicting.map(({ type, title, path }) =>
    type === 'page' ? `${title}${path === undefined ? '' : ` (/${path})`}` : `${type} ${title}`,
  );
  const more = conflicts - names.length;
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function countsOf({ totals }: GitImportChanges): string {
  const kinds = [
    ['pages', totals.pages],
    ['files', totals.files],
    ['reusable contents', totals.reusableContents],
  ] as const;
  const parts = kinds.flatMap(([kind, { added, changed, moved, removed }]) =>
    added + changed + moved + removed === 0
      ? []
      : [`${kind}: ${added} created, ${changed} changed, ${moved} moved, ${removed} removed`],
  );
  if (totals.variables > 0) parts.push(`variables: ${totals.variables}`);
  if (totals.redirects > 0) parts.push(`redirects: ${totals.redirects}`);
  return parts.join('; ');
}

type Verb = 'created' | 'changed' | 'moved' | 'removed';
type NamedChange = { verb: Verb; title: string; place: string; file?: string | undefined };

function namedChanges({ pages, files }: GitImportChanges): NamedChange[] {
  const ofPage = (verb: Verb) => (page: GitImportChanges['pages']['added'][number]) => ({
    verb,
    title: page.title,
    place: page.path === undefined ? page.type : `/${page.path}`,
    file: verb === 'removed' ? undefined : page.file,
  });
  const ofFile = (verb: Verb) => (file: GitImportChanges['files']['added'][number]) => ({
    verb,
    title: file.name,
    place: file.path ?? 'file',
  });
  return [
    ...pages.added.map(ofPage('created')),
    ...pages.changed.map(ofPage('changed')),
    ...pages.moved.map(ofPage('moved')),
    ...pages.removed.map(ofPage('removed')),
    ...files.added.map(ofFile('created')),
    ...files.changed.map(ofFile('changed')),
    ...files.moved.map(ofFile('moved')),
    ...files.removed.map(ofFile('removed')),
  ];
}

function entriesOf(outcome: PushOutcome): ReportEntry[] {
  const entries = namedChanges(outcome.changes).map(({ verb, title, place, file }): ReportEntry => ({
    level: 'notice',
    rule: verb,
    message: `${title}: ${verb}`,
    subject: place,
    file,
  }));
  const level = outcome.conflicts > 0 || outcome.overtaken ? ('warning' as const) : ('notice' as const);
  return [...entries, { level, rule: 'push', message: summaryOf(outcome).join(' ') }];
}
