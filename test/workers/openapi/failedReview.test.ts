import { cancelJob } from '@bindery/jobs';
import {
  endSpecReview,
  jobCollection,
  OpenAPISpecVersion,
  OutboxEvent,
  withTransaction,
  type OpenAPISpecVersionRecord,
  type SpecReview,
} from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { followDueReviews } from '../../../apps/worker-maintenance/src/reviewSpecs.ts';
import { buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// No worker runs here: the reviews that are started wait.

const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
const follow = () => followDueReviews({ logger, signal: AbortSignal.timeout(60_000) });
const end = (versionId: string, review: SpecReview) =>
  withTransaction((session) => endSpecReview({ versionId, review }, session));
const eventsOf = async ({ spec }: OpenAPISpecVersionRecord) =>
  (await OutboxEvent.find({ 'data.specId': spec }).sort({ createdAt: 1 }).lean()).map(({ data }) => data);

/** Makes the next look due. @returns the job */
async function makeDue({ _id }: OpenAPISpecVersionRecord): Promise<string | undefined> {
  const version = await OpenAPISpecVersion.findByIdAndUpdate(_id, {
    $set: { reviewDueAt: new Date(0) },
  }).lean<OpenAPISpecVersionRecord>();
  return version?.reviewJob;
}

const it = base.extend('versions', async ({ organization }) => {
  const spec = await buildSpec(organization);
  const first = await buildSpecVersion(spec, { text: '{"openapi":"3.1.0"}' });
  const second = await buildSpecVersion(spec, { text: '{"openapi":"3.1.1"}' });
  for (const version of [first, second]) await makeDue(version);
  await follow();
  return { first, second };
});

describe('a version whose review fails', () => {
  it('publishes one event without counts, also when the review is repeated', async ({
    versions: { first, second },
  }) => {
    const job = await makeDue(second);
    await follow();
    expect(await eventsOf(second)).toEqual([]);
    await cancelJob(job ?? '');
    await makeDue(second);
    await Promise.all([follow(), follow()]);
    const { _id: versionId, spec: specId, title, documentVersion } = second;
    const told = [
      {
        ...{ specId, specSlug: expect.any(String), versionId, title, documentVersion },
        previousVersionId: first._id,
      },
    ];
    expect(await eventsOf(second)).toEqual(told);
    await end(versionId, { changes: { before: first._id, breaking: 1, warning: 0, info: 0 } });
    expect(await OpenAPISpecVersion.findById(versionId).lean()).toMatchObject({
      review: { changes: { breaking: 1 } },
    });
    await follow();
    expect(await eventsOf(second)).toEqual(told);
  });

  it('publishes its event when the record of the job is gone', async ({ versions: { first } }) => {
    await jobCollection().deleteOne({ _id: await makeDue(first) });
    await follow();
    expect(await eventsOf(first)).toMatchObject([{ versionId: first._id }]);
  });
});

it('a version with too many changes to count publishes its event without counts', async ({
  versions: { first, second },
}) => {
  await end(second._id, { compatibility: { isAccepted: true } });
  const events = await eventsOf(second);
  expect(events).toMatchObject([{ versionId: second._id, previousVersionId: first._id }]);
  expect(events[0]).not.toHaveProperty('changes');
});

it('versions of a deleted specification publish no event', async ({ versions: { first } }) => {
  await OpenAPISpecVersion.deleteOne({ _id: first._id });
  await end(first._id, {});
  expect(await eventsOf(first)).toEqual([]);
});
