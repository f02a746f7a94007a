import { findRevision, historyPoint, loadPageIndex } from '@bindery/content';
import {
  ApiError,
  type ChangeRequest,
  type Collection,
  type DocumentPage,
  type GroupPage,
  type Space,
} from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import { markdownOfPage } from '@bindery/publishing';
import type { z } from 'zod';
import type { Actor } from '../../http/actor.ts';
import { presentChangeRequest } from '../change-request/changeRequest.presenter.ts';
import { loadChangeRequest } from '../change-request/changeRequest.scope.ts';
import type { Links } from '../../presenters/links.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';
import { loadVisibleCollection } from '../collection/collection.scope.ts';
import { presentPage } from '../../presenters/content.presenter.ts';
import { loadHistoryOfPage } from '../content/gitHistory.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';
import { showSpace } from '../space/showSpaces.ts';
import { showUsers } from '../user/showUsers.ts';
import { parseAppUrl, type AppTarget } from './parseAppUrl.ts';

type SinglePage = z.infer<typeof DocumentPage> | z.infer<typeof GroupPage>;
type View = { links: Links; actor: Actor };
type ContentOfUrl =
  | { collection: Collection }
  | { space: Space; changeRequest?: ChangeRequest; page?: SinglePage };

/**
 * Loads the object that a URL of the application names. @throws not_found, with the same message, when it is
 * missing, invisible or of another origin
 */
export async function loadContentByUrl(url: string, view: View): Promise<ContentOfUrl> {
  const { links, actor } = view;
  const target = parseAppUrl(url, links.appUrl);
  if (!target) throw nothingThere();
  if ('space' in target) return loadSpaceContent(target, view);
  const { collection, role, organization } = await loadVisibleCollection(actor, target.collection);
  return { collection: presentCollection(collection, { links, role, organization }) };
}

async function loadSpaceContent(
  target: Extract<AppTarget, { space: string }>,
  { links, actor }: View,
): Promise<ContentOfUrl> {
  const { space, role, organization } = await loadVisibleSpace(actor, target.space);
  const changeRequest =
    target.changeRequest === undefined ? undefined : await loadChangeRequest(space, target.changeRequest);
  const revision = target.revision ?? changeRequest?.revision ?? space.revision;
  return {
    space: await showSpace(space, { links, role, organization }),
    changeRequest:
      changeRequest &&
      presentChangeRequest(changeRequest, {
        links,
        userOf: await showUsers([changeRequest.createdBy], {
          links,
          organization: space.organization,
          user: actor.user.id,
        }),
        mainRevision: space.revision,
      }),
    page: target.page && (await loadPage(space, { links, revision, page: target.page })),
  };
}

async function loadPage(
  space: SpaceRecord,
  { links, revision: id, page }: { links: Links; revision: string; page: { id: string } | { path: string } },
): Promise<SinglePage> {
  const revision = await findRevision(space._id, id);
  if (!revision) throw nothingThere();
  const { byId, byPath, byFilePath } = await loadPageIndex(revision.organization, revision.pages);
  const found = 'id' in page ? byId.get(page.id) : (byPath.get(page.path) ?? byFilePath.get(page.path));
  if (!found) throw nothingThere();
  const content = { revision, syncedWith: historyPoint(space) };
  const { history } = await loadHistoryOfPage(found.page, content, { metadata: true });
  const shown = presentPage(
    revision,
    found.page,
    { links, metadata: true, history, hasContributors: true },
    { markdown: await markdownOfPage(revision, found.page) },
  );
  if (shown.type === 'link' || shown.type === 'computed') throw nothingThere();
  return shown;
}

function nothingThere(): ApiError {
  return new ApiError(
    'not_found',
    'This URL names no collection, space or page of this platform that this token may see.',
  );
}
