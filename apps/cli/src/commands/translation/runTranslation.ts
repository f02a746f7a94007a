import { parseOptions, type Usage } from '../../options.ts';
import { followJob } from '../api/followJob.ts';
import { showProgress } from '../api/showProgress.ts';
import { namedTranslation, refuseMore, translationOptions } from './namedTranslation.ts';
import { printEstimate, type Estimate } from './printEstimate.ts';
import { printStatus } from './showStatus.ts';

export const runUsage = {
  command: 'translation run',
  operands: '<translation>',
  options: {
    wait: { help: 'Wait for the end, and show how far it is.' },
    'dry-run': { help: 'Count the words and the cost, and translate nothing.' },
    ...translationOptions,
  },
} satisfies Usage;

/**
 * Starts a run, or joins one of the same content.
 *
 * @returns 0 when it has started; with `--wait` or `--dry-run`, when it has succeeded
 */
export async function runTranslation(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { values, operands } = parseOptions(runUsage, args);
  const [id, ...more] = operands;
  refuseMore(more);
  const { api, path } = await namedTranslation(id, { values, environment });
  const isDry = values['dry-run'] === true;
  const { job } = await api.post(`${path}/run${isDry ? '?dryRun=true' : ''}`);
  if (!values.wait && !isDry) {
    console.log(job);
    return 0;
  }
  const progress = showProgress(process.stderr);
  const ended = await followJob(api, job, progress.show).finally(() => progress.end());
  if (isDry) printEstimate(ended.result as Estimate);
  else await printStatus(api, path);
  return 0;
}
