import { findRevision, openTree } from '@bindery/content';
import { forbidden, invalid, type StartImportRun } from '@bindery/contract';
import { Site, type JobRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Platform } from '../../platform.ts';
import { spacePermissions } from '../../permissions/space.ts';
import { orUndefined } from '../../records/orUndefined.ts';
import { loadChangeRequest } from '../change-request/changeRequest.scope.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';
import { findUploads } from '../storage/findUploads.ts';
import { acceptImport, type ImportTarget } from './acceptImport.ts';

/**
 * Starts an import without waiting for its end.
 *
 * @throws invalid_request for a space, change request, page, site or file that does not exist; forbidden
 *   without permission to edit the space; and as acceptImport does
 */
export async function startImportRun({
  platform,
  organization,
  actor,
  traceparent,
  body,
}: {
  platform: Platform;
  organization: OrganizationRecord;
  actor: Actor;
  traceparent: string | undefined;
  body: StartImportRun;
}): Promise<JobRecord> {
  const { source, site } = body;
  const target = await findTarget(body.target, { organization, actor });
  if (site !== undefined && !(await Site.exists({ _id: site, organization: organization._id })))
    throw invalid('body.site', 'names no site of this organization.');
  const common = { platform, target, site, actor, traceparent };
  if (source.type === 'website')
    return acceptImport({ ...common, source: 'website', from: { url: source.url }, at: 'body.source.url' });
  const files = await findUploads(source.files, {
    blobs: platform.blobs,
    organization: organization._id,
    at: 'body.source.files',
  });
  return acceptImport({ ...common, source: 'zip', from: { files }, at: 'body.source.files' });
}

async function findTarget(
  { space: id, changeRequest: changeRequestId, page }: StartImportRun['target'],
  { organization, actor }: { organization: OrganizationRecord; actor: Actor },
): Promise<ImportTarget> {
  const found = await orUndefined(loadVisibleSpace(actor, id));
  if (!found || found.space.organization !== organization._id)
    throw invalid('body.target.space', 'names no space of this organization that this token may see.');
  const { space, role } = found;
  if (!spacePermissions({ role }).edit) throw forbidden('space.edit');
  const changeRequest =
    changeRequestId === undefined ? undefined : await orUndefined(loadChangeRequest(space, changeRequestId));
  if (changeRequestId !== undefined && !changeRequest)
    throw invalid('body.target.changeRequest', 'names no change request of the space.');
  if (page !== undefined) {
    const revision = await findRevision(space._id, changeRequest?.revision ?? space.revision);
    const located = revision && (await openTree(revision.organization, revision.pages)).page(page);
    if (!located || !('path' in located.page))
      throw invalid('body.target.page', 'names no page of the content that can have subpages.');
  }
  return { space, changeRequest, page };
}
