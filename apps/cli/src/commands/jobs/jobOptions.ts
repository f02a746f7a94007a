import { userInfo } from 'node:os';
import { finalJobStates, jobStates, type JobState } from '@bindery/contract';
import type { JobFilter } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { dataOption } from '../../options.ts';
import { Refusal } from '../../refusal.ts';

export const commonOptions = {
  json: { help: 'Print JSON, for scripts.' },
  ...dataOption,
};

export const filterOptions = {
  organization: { value: 'ID', help: 'Jobs of this organization.' },
  kind: { value: 'KIND', help: 'Jobs of this kind, such as git-import.' },
  state: { value: 'STATE', help: 'Jobs in this state, or `unfinished`.' },
  subject: { value: 'ID', help: 'Jobs about this space, change request, specification or translation.' },
  error: { value: 'TEXT', help: 'Jobs whose error has this text.' },
};

type FilterValues = Partial<Record<'organization' | 'kind' | 'subject' | 'error', string>>;

/** The fields of a filter that are not the state. */
export function filterIn({ organization, kind, subject, error }: FilterValues): Omit<JobFilter, 'states'> {
  return compact({ organization, kind, subject, error });
}

/** @throws Refusal for an unknown state */
export function statesIn(state: string | undefined): JobState[] | undefined {
  if (state === undefined) return undefined;
  if (state === 'unfinished')
    return jobStates.filter((known) => !(finalJobStates as readonly string[]).includes(known));
  const found = jobStates.find((known) => known === state);
  if (!found)
    throw new Refusal(`--state must be one of unfinished, ${jobStates.join(', ')}, not "${state}".`);
  return [found];
}

/** @throws Refusal unless there is exactly one operand */
export function onlyId(command: string, operands: readonly string[]): string {
  const [id, ...more] = operands;
  if (id === undefined || more.length > 0)
    throw new Refusal(`\`bindery jobs ${command}\` needs the id of one job.`, [
      '`bindery jobs list` shows the ids.',
    ]);
  return id;
}

/** @throws Refusal when there is no such job */
export async function loadJob(id: string): Promise<JobRecord> {
  const job = await jobCollection().findOne({ _id: id });
  if (!job) throw new Refusal(`There is no job with the id ${id}.`, ['`bindery jobs list` shows the ids.']);
  return job;
}

/** The operator in records of actions: nobody has signed in at a terminal. */
export function operatorHere(): string {
  return `cli:${userInfo().username}`;
}
