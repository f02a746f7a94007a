import { jobStates, type JobState } from '@bindery/contract';
import { jobCollection, type JobRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { shownJobFields, type ShownJob } from '../queue/followedJobs.ts';

/** Which jobs an operator looks for, in all organizations. An absent field matches every job. */
export type JobFilter = {
  organization?: string | undefined;
  kind?: string | undefined;
  states?: readonly JobState[] | undefined;
  /** Id of the subject. */
  subject?: string | undefined;
  /** Part of the code or the message of the error; upper and lower case of ASCII letters are the same. */
  error?: string | undefined;
};

export type JobPage = {
  /** Newest first. */
  jobs: ShownJob[];
  /** The cursor of older jobs; absent when there are none. */
  next?: string;
  /** Whether the search ended because it had read `jobsScanned` jobs, so that older ones may match too. */
  isCut: boolean;
};

/** The most jobs that a page reads to apply the part of a filter that no index has. */
export const jobsScanned = 10_000;

/**
 * Finds a page of jobs. Whatever the filter, MongoDB reads at most `jobsScanned` jobs: an index finds those
 * of a subject, an organization, or a kind and state, newest first, and the rest of the filter applies to
 * these.
 *
 * @param after  `next` of the page before; another text is ignored
 */
export async function findJobs(
  filter: JobFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<JobPage> {
  const { indexed, rest } = await splitFilter(filter);
  const range = rangeAfter(after);
  const found = (await jobCollection()
    .aggregate<ShownJob>([
      { $match: { ...indexed, ...range } },
      { $sort: newestFirst },
      ...(rest ? [{ $limit: jobsScanned }, { $match: rest }] : []),
      { $limit: limit + 1 },
      { $project: shownJobFields },
    ])
    .toArray()) as ShownJob[];
  const jobs = found.slice(0, limit);
  const last = jobs.at(-1);
  if (found.length > limit && last) return { jobs, next: cursorOf(last), isCut: false };
  const end = rest && (await findScanEnd({ ...indexed, ...range }));
  return end ? { jobs, next: cursorOf(end), isCut: true } : { jobs, isCut: false };
}

/** The kinds of all stored jobs, in alphabetical order. Reads one index key for each kind. */
export async function listJobKinds(): Promise<string[]> {
  return (await jobCollection().distinct('kind')).sort();
}

const newestFirst = { createdAt: -1, _id: -1 } as const;

type Position = Pick<JobRecord, '_id' | 'createdAt'>;

/** The last job that a search read before it had to end; null when it read all. */
async function findScanEnd(read: object): Promise<Position | null> {
  const [end] = await jobCollection()
    .find(read, { projection: { createdAt: 1 } })
    .sort(newestFirst)
    .skip(jobsScanned - 1)
    .limit(1)
    .toArray();
  return end ?? null;
}

/** Splits a filter into fields whose index also has the order, and the rest. */
async function splitFilter({ organization, kind, states, subject, error }: JobFilter) {
  const state = states && { state: { $in: [...states] } };
  const text = error !== undefined && error !== '' && { $expr: hasError(error) };
  if (subject !== undefined)
    return split({ 'subject.id': subject }, { ...compact({ organization, kind }), ...state, ...text });
  if (organization !== undefined && state)
    return split({ organization, ...state }, { ...compact({ kind }), ...text });
  if (organization !== undefined) return split({ organization, ...compact({ kind }) }, { ...text });
  if (kind === undefined && !state) return split({}, { ...text });
  // With values for both fields, MongoDB merges their ranges of the index in order.
  const kinds = kind === undefined ? await listJobKinds() : [kind];
  return split({ kind: { $in: kinds }, state: { $in: [...(states ?? jobStates)] } }, { ...text });
}

function split(indexed: object, rest: object) {
  return { indexed, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

function hasError(text: string) {
  // MongoDB's $toLower changes ASCII letters only.
  const wanted = { $literal: text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) };
  const isIn = (field: string) => ({ $gte: [{ $indexOfCP: [{ $toLower: field }, wanted] }, 0] });
  return { $or: [isIn('$error.message'), isIn('$error.code')] };
}

function cursorOf({ _id, createdAt }: Position): string {
  return `${createdAt.getTime()}.${_id}`;
}

function rangeAfter(cursor = ''): object {
  const [, time = '', id = ''] = /^(\d{1,15})\.([0-9A-Za-z]{1,64})$/.exec(cursor) ?? [];
  if (id === '') return {};
  const createdAt = new Date(Number(time));
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}
