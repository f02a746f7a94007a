import { JobError } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importRequest } from '../../../../test/support/importRequest.ts';
import { checkKinds, defineJob, readInput, retries, type JobDefinition } from './defineJob.ts';
import { gitJobs } from './git.ts';

const definition = defineJob({
  kind: 'a-kind',
  queue: 'maintenance',
  version: 3,
  input: z.object({ title: z.string(), depth: z.number().default(1) }),
  result: z.object({}),
  retry: retries.local,
  maxWaitMs: 3_600_000,
  deadlineMs: 1_000,
  upgrades: {
    1: ({ name }) => ({ label: name }),
    2: ({ label }) => ({ title: label }),
  },
});

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof JobError ? error.code : String(error);
  }
  return undefined;
}

describe('readInput', () => {
  it('reads input of the present version as it is', () => {
    expect(readInput(definition, 3, { title: 'A', depth: 2 })).toEqual({ title: 'A', depth: 2 });
  });

  it('upgrades older input step by step, and fills in new fields', () => {
    expect(readInput(definition, 2, { label: 'B' })).toEqual({ title: 'B', depth: 1 });
    expect(readInput(definition, 1, { name: 'C' })).toEqual({ title: 'C', depth: 1 });
  });

  it('does not modify the stored input', () => {
    const stored = Object.freeze({ name: 'D' });
    readInput(definition, 1, stored);
    expect(stored).toEqual({ name: 'D' });
  });

  it('refuses input that lacks an upgrade, or is still invalid after it', () => {
    expect(codeOf(() => readInput(definition, 0, { name: 'E' }))).toBe('unsupported_version');
    expect(codeOf(() => readInput(definition, 2, { label: 7 }))).toBe('unsupported_version');
    expect(codeOf(() => readInput(definition, 3, {}))).toBe('unsupported_version');
  });
});

describe('checkKinds', () => {
  const jobs = { concurrencyOfKind: {}, perOrganization: {} } as Parameters<typeof checkKinds>[0]['jobs'];
  const known: Pick<JobDefinition, 'kind' | 'queue'>[] = [
    { kind: 'one', queue: 'git' },
    { kind: 'one', queue: 'maintenance' },
    { kind: 'other', queue: 'git' },
  ];

  it('accepts one kind in two queues served by two workers', () => {
    expect(() => checkKinds({ jobs }, known)).not.toThrow();
  });

  it('refuses two definitions of one kind in one queue', () => {
    expect(() => checkKinds({ jobs }, [...known, { kind: 'one', queue: 'git' }])).toThrow(
      'The queue git has two jobs of the kind `one`',
    );
  });

  it('refuses a limit for an unknown kind', () => {
    const limited = { ...jobs, concurrencyOfKind: { third: 1 } };
    expect(() => checkKinds({ jobs: limited }, known)).toThrow(
      'BINDERY_KIND_CONCURRENCY: there is no kind `third`; the kinds are one, other',
    );
  });
});

describe('the job types', () => {
  it('have no colon in kinds and queues, because BullMQ rejects one in an id', () => {
    for (const { kind, queue } of Object.values(gitJobs))
      expect(`${kind} ${queue}`).toMatch(/^[a-z-]+ [a-z-]+$/);
  });

  it('serialize the imports of one space', () => {
    const { input } = importRequest({ _id: 'a', organization: 'o' });
    const laneOf = gitJobs.importRepository.lane!;
    expect(laneOf(input)).toBe(laneOf({ ...input, ref: 'other' }));
    expect(laneOf(input)).not.toBe(laneOf({ ...input, spaceId: 'b' }));
  });
});
