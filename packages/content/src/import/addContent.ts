import { ApiError, notFound } from '@bindery/contract';
import {
  ChangeRequest,
  ContentMoved,
  publishRevision,
  Space,
  touchChangeRequest,
  whileContentMoves,
  withTransaction,
  type ChangeRequestRecord,
  type ClientSession,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { insertRevision, loadRevision } from '../store/revisions.ts';
import type { NewContent } from './newPage.ts';
import { prepareAddition } from './prepareAddition.ts';

/** The main content of a space, or a change request of the space. */
export type AdditionTarget = { space: string; changeRequest?: string | undefined };

/** Content to be added in one revision. Never overwrites a concurrent change of the target. */
export type Addition = {
  /**
   * Builds the revision on the target's current content, outside of any transaction, because a tree of
   * thousands of pages takes a while.
   *
   * @throws not_found when the target is gone; precondition_failed for the main content of a locked space;
   *   conflict for a merged change request
   */
  prepare(): Promise<void>;
  /**
   * Publishes the prepared revision, as part of a transaction.
   *
   * @throws ContentMoved when the target has changed since `prepare`; as `prepare`
   */
  publish(session: ClientSession): Promise<void>;
};

/** @param make  builds the next revision on a base; called again for each new base */
export function createAddition(
  target: AdditionTarget,
  make: (base: RevisionRecord) => Promise<RevisionRecord>,
): Addition {
  let prepared: { space: SpaceRecord; from: string; revision: RevisionRecord } | undefined;
  return {
    prepare: async () => {
      const { space, changeRequest } = await loadTarget(target);
      const from = changeRequest?.revision ?? space.revision;
      const base = await loadRevision(space._id, from);
      prepared = { space, from, revision: await make(base) };
    },
    publish: async (session) => {
      if (!prepared) throw new Error('The revision to publish was not prepared.');
      const { space, from, revision } = prepared;
      const { changeRequest } = await loadTarget(target, session);
      const to = { revision: revision._id, by: revision.createdBy };
      const isShown = changeRequest
        ? await moveChangeRequest(changeRequest, { ...to, from, organization: space.organization }, session)
        : await publishRevision({ space, from, to: to.revision, by: to.by }, session);
      if (!isShown) throw new ContentMoved();
      await insertRevision(revision, session);
    },
  };
}

/**
 * Adds pages after the existing ones, in one revision of the type `edits`.
 *
 * @throws not_found when the target is gone; precondition_failed for the main content of a locked space;
 *   conflict for a merged change request, and for content that keeps changing
 */
export async function addContent(
  content: NewContent,
  { target, organization, createdBy }: { target: AdditionTarget; organization: string; createdBy: string },
): Promise<void> {
  const addition = createAddition(target, async (base) => {
    // The pages' content is stored for the organization that the space was in.
    if (base.organization !== organization) throw new ContentMoved();
    return prepareAddition(base, { ...content, createdBy });
  });
  try {
    await whileContentMoves(async () => {
      await addition.prepare();
      await withTransaction(addition.publish);
    });
  } catch (error) {
    if (!(error instanceof ContentMoved)) throw error;
    throw new ApiError('conflict', 'Concurrent changes prevented the addition; nothing was added.', {
      action: 'Try again.',
    });
  }
}

/**
 * @throws precondition_failed for the main content of a locked space; conflict for a merged change request
 */
export function refuseClosed({
  space,
  changeRequest,
}: {
  space: Pick<SpaceRecord, 'editMode'>;
  changeRequest?: Pick<ChangeRequestRecord, 'status'> | undefined;
}): void {
  if (changeRequest?.status === 'merged')
    throw new ApiError('conflict', 'The change request is merged: its content is final.', {
      action: 'Create another change request.',
    });
  if (!changeRequest && space.editMode === 'locked')
    throw new ApiError(
      'precondition_failed',
      'The space is locked: its main content can only be changed by change requests.',
      {
        action: 'Create a change request and add the content to it.',
      },
    );
}

type LoadedTarget = { space: SpaceRecord; changeRequest?: ChangeRequestRecord };

async function loadTarget(
  { space: _id, changeRequest: id }: AdditionTarget,
  session: ClientSession | null = null,
): Promise<LoadedTarget> {
  const space = await Space.findOne({ _id, isDeleted: false }).session(session).lean<SpaceRecord>();
  if (!space) throw notFound('space', _id);
  const changeRequest =
    id === undefined
      ? undefined
      : await ChangeRequest.findOne({ _id: id, space: _id }).session(session).lean<ChangeRequestRecord>();
  if (id !== undefined && !changeRequest) throw notFound('change request', id);
  refuseClosed({ space, changeRequest: changeRequest ?? undefined });
  return { space, changeRequest: changeRequest ?? undefined };
}

async function moveChangeRequest(
  { _id }: ChangeRequestRecord,
  { from, organization, revision, by }: { from: string; organization: string; revision: string; by: string },
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await ChangeRequest.updateOne(
    { _id, organization, revision: from, status: { $ne: 'merged' } },
    { $set: { revision }, $inc: { version: 1 } },
    { session },
  );
  if (matchedCount !== 1) return false;
  await touchChangeRequest(_id, { at: new Date(), by: { user: by, actionType: 'edit' } }, session);
  return true;
}
