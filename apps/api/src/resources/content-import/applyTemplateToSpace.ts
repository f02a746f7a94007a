import { addContent, buildTemplate, refuseClosed } from '@bindery/content';
import { ApiError, invalid, type ApplyTemplate } from '@bindery/contract';
import type { ChangeRequestRecord, SpaceRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Platform } from '../../platform.ts';
import { requireTemplate } from '../../input/requireTemplate.ts';
import { loadChangeRequest } from '../change-request/changeRequest.scope.ts';
import { checkReferences } from '../space/checkReferences.ts';

/**
 * Adds the pages of a template after the existing pages, in one revision.
 *
 * @throws invalid_request for a template or a reference that does not exist; precondition_failed for the main
 *   content of a locked space; conflict for a merged change request
 */
export async function applyTemplateToSpace({
  platform: { blobs },
  space,
  actor,
  id,
  params,
  changeRequestId,
}: ApplyTemplate & { platform: Platform; space: SpaceRecord; actor: Actor }): Promise<void> {
  const template = requireTemplate(id, 'body.id');
  const changeRequest =
    changeRequestId === undefined ? undefined : await findChangeRequest(space, changeRequestId);
  refuseClosed({ space, changeRequest });
  const references = params?.contentRefs ?? {};
  await checkReferences(references, {
    at: 'body.params',
    actor,
    organization: space.organization,
    content: { space, revision: changeRequest?.revision ?? space.revision },
  });
  const { organization } = space;
  const content = await buildTemplate(template, { organization, blobs }, references);
  const target = { space: space._id, changeRequest: changeRequest?._id };
  await addContent(content, { target, organization, createdBy: actor.user.id });
}

async function findChangeRequest(space: SpaceRecord, id: string): Promise<ChangeRequestRecord> {
  try {
    return await loadChangeRequest(space, id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found')
      throw invalid('body.changeRequestId', 'is no change request of this space.');
    throw error;
  }
}
