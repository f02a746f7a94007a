import {
  ChangeRequest,
  insertChangeRequest,
  type ChangeRequestGitRecord,
  type ChangeRequestRecord,
  type ClientSession,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

/** The change request with the content of a branch: one that is open already, or a new one. */
export type BranchChangeRequest = { id: string; open?: ChangeRequestRecord };

/**
 * Finds the change request that an earlier import opened for the branch, which gets the newer content of the
 * branch. One that somebody has edited stays as it is, and the import opens another one.
 *
 * @param point  id of the sync point
 */
export async function findBranchChangeRequest(point: string): Promise<BranchChangeRequest> {
  const [newest] = await ChangeRequest.find({ 'git.point': point, status: { $in: ['draft', 'open'] } })
    .sort({ number: -1 })
    .limit(1)
    .lean<ChangeRequestRecord[]>();
  return newest && newest.git?.revision === newest.revision
    ? { id: newest._id, open: newest }
    : { id: newId() };
}

/**
 * Gives the content of a branch to its change request, in the transaction that ends the import.
 *
 * @param content.base  the revision last in sync
 *
 * @returns false when the change request or the space was changed meanwhile: the import has to start over
 */
export async function saveBranchChangeRequest(
  { id, open }: BranchChangeRequest,
  content: { space: string; git: ChangeRequestGitRecord; base: string; subject: string; createdBy: string },
  session: ClientSession,
): Promise<boolean> {
  const { space, git, base, subject, createdBy } = content;
  const revisions = { revision: git.revision, revisionInitial: base };
  if (open) {
    const { matchedCount } = await ChangeRequest.updateOne(
      { _id: id, revision: open.revision, status: open.status },
      { $set: { git, subject, ...revisions, updatedAt: new Date() }, $inc: { version: 1 } },
      { session },
    );
    return matchedCount === 1;
  }
  const fields = { _id: id, status: 'open' as const, space, subject, git, createdBy, ...revisions };
  return (await insertChangeRequest(fields, session)) !== undefined;
}
