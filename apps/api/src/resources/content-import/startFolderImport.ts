import { refuseClosed } from '@bindery/content';
import { invalid, type ImportFolder } from '@bindery/contract';
import { acceptJob, folderJobs } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Platform } from '../../platform.ts';
import { orUndefined } from '../../records/orUndefined.ts';
import { loadChangeRequest } from '../change-request/changeRequest.scope.ts';
import { findUploads } from '../storage/findUploads.ts';

/**
 * Starts the import of a folder into a change request.
 *
 * @throws invalid_request for a file or change request that does not exist; conflict for a merged one
 */
export async function startFolderImport({
  platform: { blobs },
  space,
  actor,
  traceparent,
  body: { files: keys, name, subject = name, changeRequest: wanted, prune },
  dryRun,
}: {
  platform: Platform;
  space: SpaceRecord;
  actor: Actor;
  traceparent: string | undefined;
  body: ImportFolder;
  dryRun: boolean;
}): Promise<JobRecord> {
  const { organization } = space;
  const changeRequest =
    wanted === undefined ? undefined : await orUndefined(loadChangeRequest(space, wanted));
  if (wanted !== undefined && !changeRequest)
    throw invalid('body.changeRequest', 'names no change request of the space.');
  if (changeRequest) refuseClosed({ space, changeRequest });
  const files = await findUploads(keys, { blobs, organization, at: 'body.files' });
  return acceptJob(folderJobs.importFolder, {
    organization,
    subject: { type: 'space', id: space._id },
    startedBy: actor.user.id,
    permission: 'space.edit',
    traceparent,
    input: {
      spaceId: space._id,
      changeRequestId: changeRequest?._id,
      files,
      name,
      subject,
      prune,
      dryRun,
    },
  });
}
