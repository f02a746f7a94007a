import { apache } from './servers/apache.ts';
import { dulwich } from './servers/dulwich.ts';
import { jgit } from './servers/jgit.ts';
import type { GitServerKind } from './servers/gitServerKind.ts';

export type { OtherGitServer } from './servers/gitServerKind.ts';

/**
 * Prepares third-party git servers for starting; missing ones are installed if possible.
 *
 * @returns each with the reason why it cannot run here, if any
 */
export async function otherGitServers(): Promise<(GitServerKind & { missing: string | undefined })[]> {
  const kinds = await Promise.all(
    [apache, dulwich, jgit].map(async (kind) => ({ ...kind, missing: await kind.prepare() })),
  );
  for (const { name, missing } of kinds) if (missing) console.warn(`Git server not run: ${name}: ${missing}`);
  return kinds;
}
