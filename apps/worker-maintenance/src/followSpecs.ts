import { IndexTask, SpaceMentions, SpecFollowUp, type SpecFollowUpRecord } from '@bindery/models';
import { faultPoint } from '@bindery/runtime';

const spacesAtOnce = 500;

/**
 * Requests indexing of the spaces that show the specification that has waited longest, by the index of
 * mentions. Each repetition requests the same, so that a run may die anywhere, and run twice at once.
 *
 * @returns whether a specification was waiting
 */
export async function followNextSpec(signal: AbortSignal): Promise<boolean> {
  const waiting = await SpecFollowUp.findOne().sort({ requestedAt: 1 }).lean<SpecFollowUpRecord>();
  if (!waiting) return false;
  const { _id, organization, slug, version } = waiting;
  const names = [slug, _id];
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const spaces = await SpaceMentions.find(
      { madeIn: organization, specs: { $in: names }, _id: { $gt: after } },
      { _id: 1 },
    )
      .sort({ _id: 1 })
      .limit(spacesAtOnce)
      .lean<{ _id: string }[]>();
    await requestIndexingOfSpecs(
      spaces.map((space) => space._id),
      { organization, names },
    );
    await faultPoint('follow.requested');
    const last = spaces.at(-1);
    if (!last || spaces.length < spacesAtOnce) break;
    after = last._id;
  }
  // Not when another version has come meanwhile.
  await SpecFollowUp.deleteOne({ _id, version });
  return true;
}

async function requestIndexingOfSpecs(
  spaces: readonly string[],
  { organization, names }: { organization: string; names: readonly string[] },
): Promise<void> {
  if (spaces.length === 0) return;
  await IndexTask.bulkWrite(
    spaces.map((_id) => ({
      updateOne: {
        filter: { _id },
        update: {
          $setOnInsert: { requestedAt: new Date() },
          $set: { organization },
          $addToSet: { specs: { $each: [...names] } },
          $inc: { version: 1 },
        },
        upsert: true,
      },
    })),
  );
}
