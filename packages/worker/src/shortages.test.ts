import { expect, it } from 'vitest';
import { findShortages } from './shortages.ts';

const needs = {
  jobsAtOnce: 2,
  concurrencyVariable: 'BINDERY_WORKER_CONCURRENCY',
  memoryMb: 2_000,
  temporaryMb: 500,
  pids: 50,
};

it('finds nothing if everything fits, or nothing is limited', () => {
  expect(findShortages(needs, { memoryMb: 2_500, temporaryMb: 500, isTemporaryInMemory: true })).toEqual([]);
  expect(findShortages(needs, { memoryMb: 2_000, temporaryMb: 500, isTemporaryInMemory: false })).toEqual([]);
  expect(findShortages(needs, { memoryMb: undefined, temporaryMb: 500, isTemporaryInMemory: true })).toEqual(
    [],
  );
});

it('counts a temporary folder in memory as memory', () => {
  expect(findShortages(needs, { memoryMb: 2_499, temporaryMb: 500, isTemporaryInMemory: true })).toEqual([
    'This worker has 2499 MB of memory, and 2 jobs at once may take 2500 MB with it: give it more, or lower BINDERY_WORKER_CONCURRENCY.',
  ]);
});

it('reports a temporary folder that is too small', () => {
  expect(findShortages(needs, { memoryMb: 9_000, temporaryMb: 499, isTemporaryInMemory: false })).toEqual([
    'The temporary folder holds 499 MB, and 2 jobs at once may take 500 MB: give it more, or lower BINDERY_WORKER_CONCURRENCY.',
  ]);
});

it('names the variable that sets how many jobs run at once', () => {
  const ofTranslations = { ...needs, concurrencyVariable: 'BINDERY_TRANSLATION_CONCURRENCY' };
  expect(
    findShortages(ofTranslations, { memoryMb: 1, temporaryMb: 500, isTemporaryInMemory: false }),
  ).toEqual([expect.stringMatching(/lower BINDERY_TRANSLATION_CONCURRENCY\.$/)]);
});
