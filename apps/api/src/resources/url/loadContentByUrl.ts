import { findRevision, loadPageIndex } from '@bindery/content';
import { ApiError, type ChangeRequest, type Collection, type DocumentPage, type GroupPage, type Space } from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import type { z } from 'zod';
import type { Actor } from '../../http/actor.ts';
import { presentChangeRequest } from '../change-request/changeRequest.presenter.ts';
import { loadChangeRequest } from '../change-request/changeRequest.scope.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';
import { loadVisibleCollection } from '../collection/collection.scope.ts';
import { presentPage } from '../../presenters/content.presenter.ts';
import { markdownOfPage } from '../content/document/markdownOfPage.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';
import { showSpace } from '../space/showSpaces.ts';
import { showUsers } from '../user/showUsers.ts';
import { parseAppUrl, type AppTarget } from './parseAppUrl.ts';

type SinglePage = z.infer<typeof DocumentPage> | z.infer<typeof GroupPage>;
type ContentOfUrl = { collection: Collection } | { space: Space; changeRequest?: ChangeRequest; page?: SinglePage };

/** What a URL of the application names, as far as the caller may see it. @throws not_found alike for what is absent, invisible or of another site */
export async function loadContentByUrl(actor: Actor, url: string): Promise<ContentOfUrl> {
  const target = parseAppUrl(url);
  if (!target) throw nothingThere();
  if ('space' in target) return loadSpaceContent(actor, target);
  const { collection, role, organization } = await loadVisibleCollection(actor, target.collection);
  return { collection: presentCollection(collection, { role, organization }) };
}

async function loadSpaceContent(actor: Actor, target: Extract<AppTarget, { space: string }>): Promise<ContentOfUrl> {
  const { space, role, organization } = await loadVisibleSpace(actor, target.space);
  const changeRequest = target.changeRequest === undefined ? undefined : await loadChangeRequest(space, target.changeRequest);
  const revision = target.revision ?? changeRequest?.revision ?? space.revision;
  return {
    space: await showSpace(space, { role, organization }),
    ...(changeRequest && {
      changeRequest: presentChangeRequest(changeRequest, {
        userOf: await showUsers([changeRequest.createdBy], { organization: space.organization, user: actor.user.id }),
        mainRevision: space.revision,
      }),
    }),
    ...(target.page && { page: await loadPage(space, { revision, page: target.page }) }),
  };
}

async function loadPage(
  space: SpaceRecord,
  { revision: id, page }: { revision: string; page: { id: string } | { path: string } },
): Promise<SinglePage> {
  const revision = await findRevision(space._id, id);
  if (!revision) throw nothingThere();
  const { byId, byPath, byFilePath } = await loadPageIndex(revision.organization, revision.pages);
  const found = 'id' in page ? byId.get(page.id) : (byPath.get(page.path) ?? byFilePath.get(page.path));
  if (!found) throw nothingThere();
  const shown = presentPage(revision, found.page, { metadata: true }, { markdown: await markdownOfPage(revision, found.page) });
  if (shown.type === 'link' || shown.type === 'computed') throw nothingThere();
  return shown;
}

function nothingThere(): ApiError {
  return new ApiError('not_found', 'This URL names no collection, space or page of this platform that this token may see.');
}
