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
  'Pages are found that hold all words, the last one also as the beginning of a word: first those with them in the title, then in headings, then in ' +
  'the text. When there is none, endings and accents do not matter any more, and last of all pages with some of the words are found. Pages that are ' +
  'not to be indexed are not found; hidden ones are. What was changed can be found within two seconds.';

const SearchQuery = z.object({ query: SearchText });

export const searchRoutes = [
  inReadableSpace.list(
    '/search',
    {
      operationId: 'searchSpaceContent',
      summary: 'Search in the main content of a space',
      description: howItReads,
      permission: 'space.view',
      tags: ['Search'],
      query: SearchQuery,
      item: SearchPageResult,
    },
    async ({ space, reader, query }) => searchInSpace(space._id, { text: query.query, claims: reader.visitor?.claims, query }),
  ),

  inOrganization.list(
    '/search',
    {
      operationId: 'searchOrganizationContent',
      summary: 'Search in all spaces of an organization that the caller may see',
      description: `The spaces with the best pages come first, each with up to ten pages. ${howItReads}`,
      permission: 'organization.view',
      tags: ['Search'],
      query: SearchQuery,
      item: SearchSpaceResult,
    },
    async ({ organization, member, query }) => {
      const visible = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
      const spaces = await Space.find(visible, { title: 1 }).maxTimeMS(5_000).lean<SpaceRecord[]>();
      return searchInSpaces(new Map(spaces.map(({ _id, title }) => [_id, title])), { text: query.query, query });
    },
  ),

  inReadableSite.list(
    '/search',
    {
      operationId: 'searchSiteContent',
      summary: 'Search in the spaces of a site',
      description:
        'A visitor finds what the site shows them: neither spaces and sections nor pages whose condition they do not meet. A member finds what they ' +
        `may see as a member, published or not. ${howItReads}`,
      permission: 'site.view',
      tags: ['Search'],
      body: SearchSite,
      item: SearchSpaceResult,
    },
    async ({ query, body, ...reader }) =>
      searchInSpaces(await spacesInScope(reader, body), { text: body.query, claims: reader.visitor?.claims, query }),
  ),
];
