import { publishSyncEvents } from '@bindery/jobs';
import {
  OutboxEvent,
  Revision,
  type OutboxEventRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureRepository } from '../../support/fixtureRepository.ts';
import { startImportLab, type ImportLab } from '../../support/git/importing.ts';

let lab: ImportLab;
let url: string;
beforeAll(async () => {
  lab = await startImportLab();
  ({ url } = await lab.gitServer.createRepository('told.git', fixtureRepository()));
});
afterAll(() => lab.close());

async function toldOf(space: SpaceRecord): Promise<OutboxEventRecord[]> {
  await publishSyncEvents();
  return OutboxEvent.find({ space: space._id }).sort({ createdAt: 1, _id: 1 }).lean<OutboxEventRecord[]>();
}
const kinds = (events: OutboxEventRecord[]) =>
  events.map(({ type }) => type.replace('space_', '')).toSorted();

it('an import publishes events of the sync and of its new content, which has its commit by then', async () => {
  const space = await lab.newSpace();
  const job = await lab.importInto(space, url);
  const { revision, commit } = job.result as { revision: string; commit: string };
  const events = await toldOf(space);
  expect(kinds(events)).toEqual(['content_updated', 'gitsync_completed', 'gitsync_started']);
  const dataOf = (type: string) => events.find((event) => event.type === type)?.data;
  expect(dataOf('space_content_updated')).toEqual({ revisionId: revision, updatedBy: job.startedBy });
  expect(dataOf('space_gitsync_completed')).toEqual({
    revisionId: revision,
    commitId: commit,
    state: 'success',
  });
  expect(await Revision.findById(revision).lean<RevisionRecord>()).toMatchObject({ git: { oid: commit } });
});

it('an import without new content publishes no content event', async () => {
  const space = await lab.newSpace();
  await lab.importInto(space, url, { timestamp: '2026-01-02T00:00:00Z' });
  await toldOf(space);
  await OutboxEvent.deleteMany({ space: space._id });
  expect(await lab.importInto(space, url)).toMatchObject({ result: { unchanged: true } });
  expect(await lab.importInto(space, url, { timestamp: '2026-01-01T00:00:00Z' })).toMatchObject({
    state: 'superseded',
  });
  expect(await lab.importInto(space, url, { ref: 'refs/heads/nowhere' })).toMatchObject({ state: 'failed' });
  const events = (await toldOf(space)).filter(({ type }) => type !== 'space_gitsync_started');
  expect(events.map(({ type, data }) => [type, 'state' in data && data.state])).toEqual([
    ['space_gitsync_completed', 'success'],
    ['space_gitsync_completed', 'success'],
    ['space_gitsync_completed', 'failure'],
  ]);
});

it('a standalone import publishes no events', async () => {
  const space = await lab.newSpace();
  await lab.importInto(space, url, { standalone: true });
  expect(await toldOf(space)).toEqual([]);
});
