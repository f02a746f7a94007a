import { findJobs, jobsScanned, type ShownJob } from '@bindery/jobs';
import { scrubSecrets } from '@bindery/runtime';
import { parseOptions, parseWhole, type Usage } from '../../options.ts';
import { plain } from '../api/plain.ts';
import { table } from '../table.ts';
import { commonOptions, filterIn, filterOptions, statesIn } from './jobOptions.ts';
import { withJobs } from './withJobs.ts';

export const listUsage = {
  command: 'jobs list',
  options: {
    ...filterOptions,
    limit: { value: 'N', help: 'The most jobs (default: 20, at most 1000).' },
    ...commonOptions,
  },
} satisfies Usage;

const messageLength = 80;

/** @returns 0 */
export async function list(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(listUsage, args);
  const limit = parseWhole('--limit', values.limit ?? '20', [1, 1_000]);
  const filter = { ...filterIn(values), states: statesIn(values.state) };
  return withJobs({ data: values.data, environment }, async () => {
    const { jobs, isCut } = await findJobs(filter, { limit });
    if (values.json) console.log(JSON.stringify(jobs.map(rowOf), null, 2));
    else printJobs(jobs);
    if (isCut) console.error(`Only the newest ${jobsScanned} jobs of the range were searched.`);
    return 0;
  });
}

/** Prints jobs as a table. */
export function printJobs(jobs: readonly ShownJob[]): void {
  if (jobs.length === 0) console.log('No job matches.');
  else for (const line of table(jobs.map(rowOf))) console.log(line);
}

function rowOf({ _id, kind, state, organization, subject, createdAt, error }: ShownJob) {
  return {
    id: _id,
    kind,
    state,
    organization,
    subject: subject.id,
    accepted: createdAt.toISOString(),
    error: error ? plain(`${error.code}: ${scrubSecrets(error.message)}`).slice(0, messageLength) : '',
  };
}
