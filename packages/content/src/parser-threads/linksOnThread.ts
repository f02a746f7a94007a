import { targetsIn, type TargetUse, rewriteTargets, withoutUnsafeTargets } from '@bindery/dialect/links';
import { takeTurns } from '../takeTurns.ts';
import { quickToLink } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Runs `withoutUnsafeTargets`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function withoutUnsafeTargetsOnThread(
  markdown: string,
  organization: string,
): Promise<string | undefined> {
  if (markdown.length <= quickToLink) return withoutUnsafeTargets(markdown);
  return runOnThread('withoutUnsafeTargets', markdown, { organization, characters: markdown.length });
}

/**
 * Runs `rewriteTargets`, on another thread if it may take long. Calls `replace` on this thread, once for each
 * target and use, and yields to other work.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function rewriteTargetsOnThread(
  markdown: string,
  replace: (target: string, use: TargetUse) => string | undefined | null,
  organization: string,
): Promise<string | undefined> {
  if (markdown.length <= quickToLink) return rewriteTargets(markdown, replace);
  const load = { organization, characters: markdown.length };
  const found = await runOnThread('targetsOf', markdown, load);
  if (!found) return undefined;
  const replaced = new Map<string, string | null>();
  const turn = takeTurns();
  for (const { key, target, use } of found) {
    const wanted = replace(target, use);
    if (wanted !== undefined && wanted !== target) replaced.set(key, wanted);
    await turn();
  }
  return replaced.size === 0 ? markdown : runOnThread('replaceTargets', { markdown, replaced }, load);
}

/**
 * Finds the targets of a text, on another thread if that may take long.
 *
 * @returns undefined when it took too long
 */
export async function targetsOnThread(
  markdown: string,
  organization: string,
): Promise<ReadonlySet<string> | undefined> {
  if (markdown.length <= quickToLink) return new Set([...targetsIn(markdown)].map(({ target }) => target));
  const found = await runOnThread('targetsOf', markdown, { organization, characters: markdown.length });
  return found && new Set(found.map(({ target }) => target));
}
