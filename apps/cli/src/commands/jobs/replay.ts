import {
  audited,
  proposeReplay,
  replayableStates,
  shownJobFields,
  startReplay,
  type ShownJob,
} from '@bindery/jobs';
import { jobCollection, type JobReplayRecord } from '@bindery/models';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { commonOptions, filterIn, filterOptions, operatorHere } from './jobOptions.ts';
import { printJobs } from './list.ts';
import { refused } from './retry.ts';
import { withJobs } from './withJobs.ts';

export const replayUsage = {
  command: 'jobs replay',
  options: {
    ...filterOptions,
    state: { value: 'STATE', help: `One of ${replayableStates.join(', ')} (default: failed).` },
    start: { value: 'ID', help: 'Runs the jobs of the replay that was prepared under this id.' },
    ...commonOptions,
  },
} satisfies Usage;

const jobsShown = 20;

/** @returns 0 @throws Refusal for another state, and when there is no such replay */
export async function replay(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(replayUsage, args);
  const wanted = values.state ?? 'failed';
  const state = replayableStates.find((known) => known === wanted);
  if (!state) throw new Refusal(`--state must be one of ${replayableStates.join(', ')}, not "${wanted}".`);
  return withJobs({ data: values.data, environment }, async () => {
    const { start } = values;
    if (start !== undefined) {
      const asked = { operator: operatorHere(), action: 'replay', target: start } as const;
      await audited(asked, async () => startReplay(start)).catch(refused);
      console.log(
        values.json
          ? JSON.stringify({ id: start })
          : 'The maintenance worker runs the jobs again, one by one.',
      );
      return 0;
    }
    const prepared = await proposeReplay({ ...filterIn(values), state }, operatorHere());
    if (values.json) console.log(JSON.stringify(prepared, null, 2));
    else await print(prepared);
    return 0;
  });
}

async function print({ _id, jobs, hasMore }: JobReplayRecord): Promise<void> {
  const ids = jobs.slice(0, jobsShown).map(({ id }) => id);
  const found = (await jobCollection()
    .find({ _id: { $in: ids } }, { projection: shownJobFields })
    .sort({ createdAt: 1 })
    .toArray()) as ShownJob[];
  printJobs(found);
  console.log(
    `${jobs.length} jobs would run again${hasMore ? ', the newest; older ones match too' : ''}. Nothing has run yet.`,
  );
  if (jobs.length > 0) console.log(`Run them with \`bindery jobs replay --start ${_id}\`.`);
}
