import type { DocumentTree } from '@bindery/contract';
import { documentToMarkdown, stableTarget, type Reference, type TargetOf } from '@bindery/dialect';
import { isQuickToWrite } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Runs `documentToMarkdown`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function documentToMarkdownOnThread(
  tree: DocumentTree,
  organization: string,
  targetOf: TargetOf = stableTarget,
): Promise<string | undefined> {
  if (isQuickToWrite(tree)) return documentToMarkdown(tree, targetOf);
  const targets = new Map<string, string>();
  let characters = 0;
  const open: unknown[] = [tree.nodes];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') characters += value.length;
    if (typeof value !== 'object' || value === null) continue;
    if ('kind' in value && typeof value.kind === 'string') {
      const key = JSON.stringify(value);
      const target = targets.has(key) ? undefined : targetOf(value as Reference);
      if (target !== undefined) targets.set(key, target);
    }
    for (const member of Object.values(value)) open.push(member ?? null);
  }
  return runOnThread('documentToMarkdown', { tree, targets }, { organization, characters });
}
