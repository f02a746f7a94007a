import type { Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { diagnose, diagnoseUsage } from './diagnose.ts';
import { limits, limitsUsage } from './limits.ts';
import { list, listUsage } from './list.ts';
import { replay, replayUsage } from './replay.ts';
import { retry, retryUsage } from './retry.ts';
import { show, showUsage } from './show.ts';
import { watch, watchUsage } from './watch.ts';

export const jobsUsages: readonly Usage[] = [
  listUsage,
  showUsage,
  watchUsage,
  retryUsage,
  replayUsage,
  limitsUsage,
  diagnoseUsage,
];

const verbs = { list, show, watch, retry, replay, limits, doctor: diagnose };

/** Operates the jobs of an installation on its stores, as the pages of `/admin` do. @returns the exit code */
export async function jobs(
  [verb = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (!Object.hasOwn(verbs, verb))
    throw new Refusal(`\`bindery jobs\` needs one of ${Object.keys(verbs).join(', ')}.`, [
      'See `bindery jobs --help`.',
    ]);
  return verbs[verb as keyof typeof verbs](args, environment);
}
