import { findJobs, jobsScanned, listJobKinds, type JobFilter } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { examinedBy } from '../support/stores/examined.ts';

let lab: JobLab;
let pattern: JobRecord;

beforeAll(async () => {
  lab = await startJobLab();
  pattern = await lab.accept('pattern');
});
afterAll(() => lab.close());

const startMs = Date.UTC(2026, 0, 1);

/** Inserts ended jobs: every 10th failed, every 100th of another kind, and the oldest with a rare error. */
async function insertJobs(count: number): Promise<void> {
  await jobCollection().deleteMany({});
  const message = (index: number) => (index === 0 ? 'A $rare (Error)' : `Common ${index}`);
  const jobs = Array.from({ length: count }, (_, index): JobRecord => ({
    ...pattern,
    _id: `job${String(index).padStart(6, '0')}`,
    kind: index % 100 === 0 ? 'git-import' : 'test-work',
    organization: `organization-${index % 3}`,
    subject: { type: 'space', id: `space-${index % 50}` },
    state: index % 10 === 0 ? 'failed' : 'succeeded',
    ...(index % 10 === 0 && { error: { class: 'auth', code: 'auth', message: message(index) } }),
    // Pairs of one moment, which only the id orders.
    createdAt: new Date(startMs + (index >> 1)),
  }));
  for (let start = 0; start < count; start += 5_000)
    await jobCollection().insertMany(jobs.slice(start, start + 5_000), { ignoreUndefined: true });
}

const ids = async (filter: JobFilter, limit = 3) =>
  (await findJobs(filter, { limit })).jobs.map(({ _id }) => Number(_id.slice(3)));

describe('the jobs of all organizations', () => {
  it('are found by one or several fields, newest first', async () => {
    await insertJobs(1_000);
    expect(await ids({})).toEqual([999, 998, 997]);
    expect(await ids({ organization: 'organization-1' })).toEqual([997, 994, 991]);
    expect(await ids({ kind: 'git-import' })).toEqual([900, 800, 700]);
    expect(await ids({ states: ['failed'] })).toEqual([990, 980, 970]);
    expect(await ids({ states: ['failed'], kind: 'test-work' }, 11)).not.toContain(900);
    expect(await ids({ subject: 'space-7' })).toEqual([957, 907, 857]);
    expect(await ids({ subject: 'space-10', states: ['failed'], organization: 'organization-0' })).toEqual([
      960, 810, 660,
    ]);
    expect(await ids({ organization: 'organization-0', kind: 'git-import', states: ['failed'] })).toEqual([
      900, 600, 300,
    ]);
    expect(await ids({ organization: 'nobody' })).toEqual([]);
    expect(await listJobKinds()).toEqual(['git-import', 'test-work']);
  });

  it('are found by the text of the error, which is not a regular expression', async () => {
    for (const error of ['$rare', 'a $RARE (error)', '(E']) expect(await ids({ error })).toEqual([0]);
    expect(await ids({ error: 'auth' })).toEqual([990, 980, 970]);
    for (const error of ['.*', '$error.code', 'Commun', '[']) expect(await ids({ error })).toEqual([]);
  });

  it('are paged without gap or repetition, also with equal times', async () => {
    const matching: [JobFilter, object][] = [
      [{}, {}],
      [{ states: ['failed'] }, { state: 'failed' }],
      [{ error: 'common' }, { 'error.message': /^Common/ }],
    ];
    for (const [filter, query] of matching) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await findJobs(filter, { limit: 7, after });
        seen.push(...page.jobs.map(({ _id }) => _id));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual([...new Set(seen)].sort().reverse());
      expect(seen).toHaveLength(await jobCollection().countDocuments(query));
    }
  });

  it('begin at the first page for an invalid cursor', async () => {
    for (const after of ['', 'x', '1.', '99999999999999999.job', '1.$gt', '1.a\n'])
      expect((await findJobs({}, { limit: 1, after })).jobs[0]?._id).toBe('job000999');
  });

  const filters: Record<string, JobFilter> = {
    'no filter': {},
    'a kind': { kind: 'git-import' },
    'a state': { states: ['failed'] },
    'a kind and a state': { kind: 'test-work', states: ['failed'] },
    'an organization': { organization: 'organization-1' },
    'an organization and a state': { organization: 'organization-1', states: ['failed'] },
    'an organization, a kind and a state': { organization: 'organization-1', states: ['failed'], kind: 'x' },
    'a subject': { subject: 'space-10' },
    'a subject and a state that none has': { subject: 'space-10', states: ['cancelled'] },
    'text of an error': { error: '$rare' },
    'text of the error of failed jobs': { error: '$rare', states: ['failed'] },
  };

  it('cost the same among 100 and 100,000 jobs', { timeout: 180_000 }, async () => {
    const measured = new Map<string, number[]>();
    for (const count of [100, 100_000]) {
      await insertJobs(count);
      for (const [name, filter] of Object.entries(filters)) {
        const { documents } = await examinedBy(['jobs'], () => findJobs(filter, { limit: 50 }));
        measured.set(name, [...(measured.get(name) ?? []), documents]);
      }
    }
    console.log(
      `Documents examined for a page of 50 among 100 / 100,000 jobs: ${[...measured].map(([name, [few, many]]) => `${name} ${few} / ${many}`).join(', ')}`,
    );
    for (const [name, [, many]] of measured) {
      const hasRest = /text|none has|an organization, a kind/.test(name);
      expect(many, name).toBeLessThanOrEqual(hasRest ? jobsScanned + 50 : 51);
    }
  });

  it('are searched further by the next page when one page reaches its read limit', async () => {
    const first = await findJobs({ error: '$rare' }, { limit: 5 });
    expect(first).toMatchObject({ jobs: [], isCut: true });
    const found: string[] = [];
    for (let { next: after } = first; after !== undefined;) {
      const page = await findJobs({ error: '$rare' }, { limit: 5, after });
      found.push(...page.jobs.map(({ _id }) => _id));
      after = page.next;
    }
    expect(found).toEqual(['job000000']);
  });
});
