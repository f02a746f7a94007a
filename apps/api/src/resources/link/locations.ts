import type { LinkOccurrence, PageItem, PageTree, TargetLinks, LinkTarget } from '@bindery/content';
import type { ContentLocation, Page, VersionContext } from '@bindery/contract';
import { presentChangeRequest } from '../change-request/changeRequest.presenter.ts';
import { presentFile, presentPage, presentReusableContent } from '../../presenters/content.presenter.ts';
import { presentOrganization } from '../organization/organization.presenter.ts';
import { showSpaces } from '../space/showSpaces.ts';
import { showUsers } from '../user/showUsers.ts';
import type { NamedObjects } from './findNamedObjects.ts';
import type { LinkedContent, LinkViewer } from './link.scope.ts';
import type { SeenSpace } from './seenSpaces.ts';

/** Presents occurrences and targets of links, from objects loaded in advance. */
export type Locations = {
  ofPlace(space: string, place: LinkOccurrence): ContentLocation;
  ofTarget(link: TargetLinks, named: NamedObjects): ContentLocation;
};

export async function createLocations(
  viewer: LinkViewer,
  linked: LinkedContent,
  seen: ReadonlyMap<string, SeenSpace>,
): Promise<Locations> {
  const { platform, organization, member } = viewer;
  const { links } = platform;
  const options = { links, metadata: true };
  const shownOrganization = presentOrganization(organization, { platform, member });
  const shownSpaces = new Map(
    (
      await showSpaces(
        Array.from(seen.values(), ({ space }) => space),
        { links, organization, member },
      )
    ).map((space) => [space.id, space]),
  );
  const versionContext = await contextOf(viewer, linked);

  const inSpace = (id: string) => {
    const space = shownSpaces.get(id);
    const content = seen.get(id);
    if (!space || !content) throw new Error(`A link leads into the space ${id}, which was not loaded.`);
    const context = id === viewer.space._id ? versionContext : {};
    return { content, fields: { organization: shownOrganization, space, ...context } };
  };
  const ofPage = ({ revision }: SeenSpace, page: PageItem): Page =>
    presentPage(revision, withoutChildren(page), options);

  /** Presents a target in visible content. */
  const ofContent = (target: LinkTarget): ContentLocation | undefined => {
    if (target.kind !== 'page' && target.kind !== 'file' && target.kind !== 'reusable-content')
      return undefined;
    if (!seen.has(target.space)) return undefined;
    const { content, fields } = inSpace(target.space);
    const { tree, files, reusableContents } = content.references;
    if (target.kind === 'page') {
      const page = tree.page(target.page)?.page;
      const internalLocation =
        target.anchor === undefined
          ? {}
          : { internalLocation: { type: 'anchor' as const, anchor: target.anchor } };
      return page && { kind: 'page', ...fields, page: ofPage(content, page), ...internalLocation };
    }
    if (target.kind === 'file') {
      const file = files.find(({ id }) => id === target.id);
      return file && { kind: 'file', ...fields, file: presentFile(content.revision, file, options) };
    }
    const found = reusableContents.find(({ id }) => id === target.id);
    return (
      found && {
        kind: 'reusable-content',
        ...fields,
        reusableContent: presentReusableContent(found, options),
      }
    );
  };

  const ofObject = (
    target: LinkTarget,
    { users, collections, specs }: NamedObjects,
  ): ContentLocation | undefined => {
    switch (target.kind) {
      case 'space': {
        const space = shownSpaces.get(target.id);
        return space && { kind: 'space', organization: shownOrganization, space };
      }
      case 'user': {
        const user = users.get(target.id);
        return user && { kind: 'user', user };
      }
      case 'collection': {
        const collection = collections.get(target.id);
        return collection && { kind: 'collection', organization: shownOrganization, collection };
      }
      case 'openapi': {
        const openAPISpec = specs.get(target.id);
        return openAPISpec && { kind: 'openapi', organization: shownOrganization, openAPISpec };
      }
      case 'page':
      case 'file':
      case 'reusable-content':
      case 'url':
      case 'missing':
        return undefined;
    }
  };

  return {
    ofPlace(space, { source, block }) {
      const { content, fields } = inSpace(space);
      if (source.reusableContent)
        return {
          kind: 'reusable-content',
          ...fields,
          reusableContent: presentReusableContent(source.reusableContent, options),
        };
      const internalLocation =
        block === undefined ? {} : { internalLocation: { type: 'node' as const, node: block } };
      return { kind: 'page', ...fields, page: ofPage(content, source.page), ...internalLocation };
    },
    // A missing or invisible target is shown as it was written.
    ofTarget: ({ target, written }, named) =>
      ofContent(target) ?? ofObject(target, named) ?? { kind: 'url', url: written },
  };
}

async function contextOf(
  { platform: { links }, space, member }: LinkViewer,
  { changeRequest }: LinkedContent,
): Promise<{ versionContext?: VersionContext }> {
  if (!changeRequest) return {};
  const userOf = await showUsers([changeRequest.createdBy], { ...member, links });
  return {
    versionContext: {
      type: 'changeRequest',
      changeRequest: presentChangeRequest(changeRequest, { links, userOf, mainRevision: space.revision }),
    },
  };
}

/**
 * Removes the pages below a page: a list of the links of a home page would otherwise contain the whole space
 * many times.
 */
function withoutChildren(page: PageItem): PageTree {
  if (page.type === 'link' || page.type === 'computed') return page;
  const { children: _, ...own } = page;
  return { ...own, pages: [] };
}
