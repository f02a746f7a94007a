import { SearchPageResult, SearchSite, SearchSpaceResult, SearchText } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';
import { z } from 'zod';
import { visibleTo } from '../../permissions/access.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { inReadableSite } from '../site/site.scope.ts';
import { inReadableSpace } from '../space/space.scope.ts';
import { searchInSpace, searchInSpaces } from './searchInSpaces.ts';
import { spacesInScope } from './siteSearchScope.ts';

const howItReads =
  'Finds pages that contain all words; the last word also matches as a prefix. Matches in titles rank first, then in headings, ' +
  'then in text. Without a match, search ignores word endings and accents, then accepts pages with some of the words. Pages ' +
  'excluded from indexing are not found; hidden pages are. Changes are searchable within two seconds.';

const SearchQuery = z.object({ query: SearchText });

export const searchRoutes = [
  inReadableSpace.list(
    '/search',
    {
      operationId: 'searchSpaceContent',
      summary: 'Search the main content of a space',
      description: howItReads,
      permission: 'space.view',
      tags: ['Search'],
      query: SearchQuery,
      item: SearchPageResult,
    },
    async ({ platform: { links }, space, reader, query }) =>
      searchInSpace(space._id, { links, text: query.query, claims: reader.visitor?.claims, query }),
  ),

  inOrganization.list(
    '/search',
    {
      operationId: 'searchOrganizationContent',
      summary: 'Search all spaces of an organization that the caller can view',
      description: `Spaces with the best matches come first, each with up to ten pages. ${howItReads}`,
      permission: 'organization.view',
      tags: ['Search'],
      query: SearchQuery,
      item: SearchSpaceResult,
    },
    async ({ platform: { links }, organization, member, query }) => {
      const visible = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
      const spaces = await Space.find(visible, { title: 1 }).maxTimeMS(5_000).lean<SpaceRecord[]>();
      return searchInSpaces(new Map(spaces.map(({ _id, title }) => [_id, title])), {
        links,
        text: query.query,
        query,
      });
    },
  ),

  inReadableSite.list(
    '/search',
    {
      operationId: 'searchSiteContent',
      summary: 'Search the spaces of a site',
      description:
        'A visitor finds what the site shows them: neither spaces and sections nor pages whose condition they do not meet. A member finds what they ' +
        `may see as a member, published or not. ${howItReads}`,
      permission: 'site.view',
      tags: ['Search'],
      body: SearchSite,
      item: SearchSpaceResult,
    },
    async ({ query, body, ...reader }) =>
      searchInSpaces(await spacesInScope(reader, body), {
        links: reader.platform.links,
        text: body.query,
        claims: reader.visitor?.claims,
        query,
      }),
  ),
];
