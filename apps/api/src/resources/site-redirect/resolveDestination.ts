import { invalid, type SiteRedirectDestinationInput, trimmedSides } from '@bindery/contract';
import type { SiteRedirectDestinationRecord, SiteSpaceRecord } from '@bindery/models';
import type { SiteContext } from '@bindery/publishing';

/**
 * Checks that a destination belongs to the site, and finds the page of a destination given as a path.
 *
 * @throws invalid_request when it does not, or when the caller may not read the space of a page
 */
export async function resolveDestination(
  destination: SiteRedirectDestinationInput,
  { tree, contentOf }: Pick<SiteContext, 'tree' | 'contentOf'>,
): Promise<SiteRedirectDestinationRecord> {
  const findPages = async (siteSpace: SiteSpaceRecord) => (await contentOf(siteSpace))?.pages();
  const inSite = (siteSpaceId: string): SiteSpaceRecord => {
    const siteSpace = tree.siteSpaces.find(({ _id }) => _id === siteSpaceId);
    if (!siteSpace) throw invalid('body.destination.siteSpaceId', 'is no site space of this site');
    return siteSpace;
  };
  switch (destination.kind) {
    case 'external':
      return destination;
    case 'site-section':
      if (!tree.sections.some(({ _id }) => _id === destination.siteSectionId))
        throw invalid('body.destination.siteSectionId', 'is no section of this site');
      return destination;
    case 'site-space':
      inSite(destination.siteSpaceId);
      return destination;
    case 'site-page': {
      const pages = await findPages(inSite(destination.siteSpaceId));
      if (!pages?.byId.has(destination.pageId))
        throw invalid('body.destination.pageId', 'is no page of this site space');
      return destination;
    }
    case 'path': {
      const siteSpace = tree.siteSpaces.find(({ space }) => space === destination.spaceId);
      if (!siteSpace) throw invalid('body.destination.spaceId', 'is no space of this site');
      const pages = await findPages(siteSpace);
      const found = pages?.byPath.get(trimmedSides(destination.path, '/'));
      if (!found) throw invalid('body.destination.path', 'is not the path of a page of this space');
      return { kind: 'site-page', siteSpaceId: siteSpace._id, pageId: found.page.id };
    }
  }
}
