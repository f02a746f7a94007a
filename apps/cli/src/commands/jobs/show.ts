import { explainWaiting, readLog } from '@bindery/jobs';
import { scrubSecrets } from '@bindery/runtime';
import { parseOptions, type Usage } from '../../options.ts';
import { plain } from '../api/plain.ts';
import { commonOptions, loadJob, onlyId } from './jobOptions.ts';
import { withJobs } from './withJobs.ts';

export const showUsage = {
  command: 'jobs show',
  operands: '<id>',
  options: commonOptions,
} satisfies Usage;

const linesShown = 20;

/** @returns 0 */
export async function show(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(showUsage, args);
  const id = onlyId('show', operands);
  return withJobs({ data: values.data, environment }, async () => {
    const job = await loadJob(id);
    const [waiting, log] = await Promise.all([explainWaiting(job), readLog(job)]);
    const { input, checkpoint: _, ...shown } = job;
    if (values.json) {
      console.log(scrubSecrets(JSON.stringify({ ...shown, input, waiting, log }, null, 2)));
      return 0;
    }
    const facts = {
      job: `${job._id}, ${job.kind}`,
      state: job.state,
      organization: job.organization,
      subject: `${job.subject.type} ${job.subject.id}`,
      accepted: job.createdAt.toISOString(),
      started: job.startedAt?.toISOString(),
      ended: job.finishedAt?.toISOString(),
      progress: job.progress && [job.progress.stage, job.progress.done, job.progress.total].join(' '),
      waits: waiting && `${waiting.message}${waiting.position ? ` Place ${waiting.position}.` : ''}`,
      error: job.error && `${job.error.code}: ${job.error.message} ${job.error.action ?? ''}`,
    };
    for (const [name, value] of Object.entries(facts)) if (value) print(name, value);
    for (const { epoch, worker, startedAt, outcome, error } of job.attempts)
      print(
        `run ${epoch}`,
        `${startedAt.toISOString()} on ${worker}: ${outcome ?? 'running'}${error ? `, ${error.code}: ${error.message}` : ''}`,
      );
    for (const { at, level, message } of log.slice(-linesShown))
      print(level, `${at.toISOString()} ${message}`);
    return 0;
  });
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(13)} ${plain(scrubSecrets(value))}`);
}
