import type { DocumentBlock } from '@bindery/contract';
import { align } from './align.ts';
import type { Member } from './member.ts';
import type { Budget } from './budget.ts';
import { diffWords } from './diffWords.ts';
import type { RowDiff } from './documentDiff.ts';
import { canonical } from './signatureOf.ts';
import { targetText, textOf } from './textOf.ts';

/** Compares two tables by rows and cells; the titles of the columns are the first row. */
export function diffTable(before: DocumentBlock, after: DocumentBlock, budget: Budget): RowDiff[] {
  return align(rowsOf(before), rowsOf(after), budget).map((step) => {
    if (step.kind === 'changed') {
      const [old, now] = [step.before, step.after];
      const cells = Array.from({ length: Math.max(old.length, now.length) }, (_, index) =>
        diffWords(old[index] ?? '', now[index] ?? '', budget),
      );
      return { kind: step.kind, cells };
    }
    return { kind: step.kind, cells: 'before' in step ? step.before : step.after };
  });
}

/** The texts of the cells of a table, its titles first. */
function rowsOf({ data = {}, fragments = [] }: DocumentBlock): Member<string[]>[] {
  const texts = new Map(fragments.map((fragment) => [fragment.fragment, textOf(fragment)]));
  const columns = listIn(fieldsOf(data['view'])['columns']);
  const definition = fieldsOf(data['definition']);
  const titles = columns.map((column) => cellText(fieldsOf(definition[column])['title']));
  const rows = Object.values(fieldsOf(data['records']))
    .map(fieldsOf)
    .toSorted((a, b) => (String(a['orderIndex']) < String(b['orderIndex']) ? -1 : 1))
    .map(({ values }) => columns.map((column) => cellText(fieldsOf(values)[column], texts)));
  return [titles, ...rows].map((cells, index) => ({
    value: cells,
    signature: JSON.stringify(cells),
    kind: index === 0 ? 'titles' : 'row',
    text: () => cells.join(' '),
  }));
}

function cellText(value: unknown, texts?: ReadonlyMap<string | undefined, string>): string {
  if (typeof value === 'string') return texts?.get(value) ?? value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return canonical(value);
  return targetText(fieldsOf(value)['ref'] ?? value) || canonical(value);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
