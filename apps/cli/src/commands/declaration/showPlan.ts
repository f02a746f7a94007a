import { plain } from '../api/plain.ts';
import type { Change, FieldChange } from './change.ts';
import type { Plan } from './planDeclaration.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const longest = 200;
const maxUndeclared = 50;

/** A plan for people: each change with its old and new values. */
export function planAsText({ changes, undeclared, unchanged, name }: Plan): string {
  const lines = changes.flatMap((change) => [changeLine(change), ...change.fields.map(fieldLine)]);
  lines.push(
    ...undeclared
      .slice(0, maxUndeclared)
      .map((each) => `  ${each}: not in the file, stays (--prune removes it)`),
  );
  const more = undeclared.length - maxUndeclared;
  if (more > 0) lines.push(`  and ${more} more, which --format json lists`);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const counts = `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete`;
  lines.push(`${counts}, ${unchanged} as declared.`);
  if (changes.length > 0) lines.push(`Plan ${name}`);
  return lines.map((line) => `${plain(line)}\n`).join('');
}

export function changeLine({ action, name }: Pick<Change, 'action' | 'name'>): string {
  return `${signs[action]} ${action} ${name}`;
}

/** A plan for programs. */
export function planAsJson({ changes, undeclared, unchanged, name }: Plan, isApplied: boolean): string {
  const told = changes.map(({ action, name: subject, fields }) => ({ action, name: subject, fields }));
  return `${JSON.stringify({ plan: name, applied: isApplied, changes: told, undeclared, unchanged }, null, 2)}\n`;
}

function fieldLine({ field, before, after }: FieldChange): string {
  return before === undefined
    ? `    ${field}: ${shown(after)}`
    : `    ${field}: ${shown(before)} -> ${shown(after)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
