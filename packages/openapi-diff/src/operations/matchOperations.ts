import type { OperationEntry } from './listOperations.ts';
import { placeholders } from './pathTemplate.ts';

export type OperationPair = { before: OperationEntry; after: OperationEntry };

/**
 * Matches operations by method and path. Names of path parameters do not count, and an operation that is not
 * found is looked for once more with the base paths of the servers before both paths.
 */
export function matchOperations(
  lists: { before: OperationEntry[]; after: OperationEntry[] },
  basePaths: { before: string; after: string },
): { pairs: OperationPair[]; removed: OperationEntry[]; added: OperationEntry[]; isMoved: boolean } {
  const first = matchBy(lists, { before: '', after: '' });
  if (first.removed.length === 0 || basePaths.before === basePaths.after) return { ...first, isMoved: false };
  const second = matchBy({ before: first.removed, after: first.added }, basePaths);
  return { ...second, pairs: [...first.pairs, ...second.pairs], isMoved: second.pairs.length > 0 };
}

function matchBy(
  lists: { before: OperationEntry[]; after: OperationEntry[] },
  basePaths: { before: string; after: string },
): { pairs: OperationPair[]; removed: OperationEntry[]; added: OperationEntry[] } {
  const added = new Map(lists.after.map((entry) => [keyOf(entry, basePaths.after), entry]));
  const pairs: OperationPair[] = [];
  const removed = lists.before.filter((before) => {
    const key = keyOf(before, basePaths.before);
    const after = added.get(key);
    if (after === undefined) return true;
    added.delete(key);
    pairs.push({ before, after });
    return false;
  });
  const left = new Set(added.values());
  return { pairs, removed, added: lists.after.filter((entry) => left.has(entry)) };
}

function keyOf({ method, path }: OperationEntry, basePath: string): string {
  return `${method} ${basePath}${path.replaceAll(placeholders, '{}')}`;
}
