import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from '@bindery/contract';
import { explainWaiting } from '@bindery/jobs';
import { scrubSecrets } from '@bindery/runtime';
import { parseOptions, type Usage } from '../../options.ts';
import { plain } from '../api/plain.ts';
import { showProgress } from '../api/showProgress.ts';
import { commonOptions, loadJob, onlyId } from './jobOptions.ts';
import { withJobs } from './withJobs.ts';

export const watchUsage = {
  command: 'jobs watch',
  operands: '<id>',
  options: commonOptions,
} satisfies Usage;

const pollMs = 500;

/** @returns 0 when the job succeeds, else 1 */
export async function watch(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(watchUsage, args);
  const id = onlyId('watch', operands);
  return withJobs({ data: values.data, environment }, async () => {
    const progress = showProgress(process.stderr);
    try {
      for (;;) {
        const job = await loadJob(id);
        if (isFinal(job.state)) {
          progress.end();
          const { state, error } = job;
          if (values.json) console.log(scrubSecrets(JSON.stringify({ id, state, error })));
          else
            console.log(plain(scrubSecrets(`${state}${error ? `: ${error.code}: ${error.message}` : ''}`)));
          return state === 'succeeded' ? 0 : 1;
        }
        const waiting = await explainWaiting(job);
        if (waiting) progress.show({ stage: waiting.message });
        else if (job.progress) progress.show(job.progress);
        await delay(pollMs);
      }
    } finally {
      progress.end();
    }
  });
}
