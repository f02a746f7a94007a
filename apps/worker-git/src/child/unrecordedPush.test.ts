import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { commitBytes } from '../git/objects/commitObject.ts';
import { jobTrailer, unrecordedPush } from './unrecordedPush.ts';
import { ObjectStore } from '../git/objects/objectStore.ts';

let folder: string;
let store: ObjectStore;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-unrecorded-push-'));
  store = new ObjectStore(join(folder, 'objects'), 1_000_000);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function jobOf(message: string): string | undefined {
  const bytes = commitBytes({
    tree: 'ab'.repeat(20),
    message,
    author: { name: 'Ada', email: 'ada@example.com' },
    at: 1_700_000_000,
  });
  const object = store.startObject('commit', bytes.length);
  object.write(bytes);
  const { oid } = object.finish();
  const push = unrecordedPush(store, oid);
  if (push) expect(push.commit).toBe(oid);
  return push?.job;
}

it('finds the job in the last line of a message', () => {
  const job = '5WScn8xLH1G7ypYMe76T';
  expect(jobOf(`Say more\n\n${jobTrailer(job)}\n`)).toBe(job);
  expect(jobOf(jobTrailer(job))).toBe(job);
});

it.each([
  'Say more\n',
  'Bindery-Job: one\n\nSigned-off-by: Ada\n',
  'Bindery-Job:\n',
  'Bindery-Job: $ne\n',
  'Bindery-Job: a b\n',
  `Bindery-Job: ${'a'.repeat(65)}\n`,
  'Not Bindery-Job: one\n',
  '',
])('finds no job in %j', (message) => {
  expect(jobOf(message)).toBeUndefined();
});
