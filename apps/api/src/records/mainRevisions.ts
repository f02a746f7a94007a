import { Revision, type RevisionRecord, type SpaceRecord } from '@bindery/models';

/** The active revisions of spaces, by space. */
export async function loadMainRevisions(
  spaces: readonly Pick<SpaceRecord, '_id' | 'revision'>[],
): Promise<Map<string, RevisionRecord>> {
  const revisions = await Revision.find({ _id: { $in: spaces.map(({ revision }) => revision) } }).lean<
    RevisionRecord[]
  >();
  const byId = new Map(revisions.map((revision) => [revision._id, revision]));
  const found = new Map<string, RevisionRecord>();
  for (const { _id, revision } of spaces) {
    const record = byId.get(revision);
    if (record?.space === _id) found.set(_id, record);
  }
  return found;
}
