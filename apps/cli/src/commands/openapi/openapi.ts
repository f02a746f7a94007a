import type { Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { diff, diffUsage } from './diff.ts';
import { lint, lintUsage } from './lint.ts';
import { publish, publishUsage } from './publish.ts';

export const openapiUsages: readonly Usage[] = [publishUsage, diffUsage, lintUsage];

const verbs = { publish, diff, lint };

/** Publishes, compares and checks API specifications. @returns the exit code */
export async function openapi(
  [verb = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (!Object.hasOwn(verbs, verb))
    throw new Refusal('`bindery openapi` needs one of publish, diff and lint.', [
      'See `bindery openapi --help`.',
    ]);
  return verbs[verb as keyof typeof verbs](args, environment);
}
