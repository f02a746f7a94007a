import {
  ChangeRequest,
  Collection,
  DocumentPage,
  Embed,
  GroupPage,
  Space,
  text,
  WebUrl,
} from '@bindery/contract';
import { z } from 'zod';
import { root } from '../../http/scope.ts';
import { inReadableSpace } from '../space/space.scope.ts';
import { describeUrl } from './describeUrl.ts';
import { loadContentByUrl } from './loadContentByUrl.ts';

const tags = ['URL'];
const UrlQuery = z.object({ url: WebUrl });
/** Any text of an embed: readers request all embeds of a page, and one bad URL must not fail the page. */
const EmbedQuery = z.object({ url: text(1, 8192) });
const SinglePage = z.discriminatedUnion('type', [DocumentPage, GroupPage]);

const ContentOfUrl = z
  .union([
    z.object({ collection: Collection }),
    z.object({ space: Space, changeRequest: ChangeRequest.optional(), page: SinglePage.optional() }),
  ])
  .meta({ id: 'ContentOfUrl' });

export const urlRoutes = [
  root.get(
    '/urls/content',
    {
      operationId: 'getContentByUrl',
      summary: 'Find the collection, space or page that a URL of the application names',
      permission: 'token',
      tags,
      query: UrlQuery,
      response: ContentOfUrl,
    },
    async ({ platform: { links }, actor, query }) => loadContentByUrl(query.url, { links, actor }),
  ),

  root.get(
    '/urls/embed',
    {
      operationId: 'getEmbedByUrl',
      summary: 'Describe a URL for a card that links to it; an invalid URL gets a card without a site',
      permission: 'token',
      tags,
      query: EmbedQuery,
      response: Embed,
    },
    async ({ query }) => describeUrl(query.url),
  ),

  inReadableSpace.get(
    '/embed',
    {
      operationId: 'getEmbedByUrlInSpace',
      summary:
        'Describe a URL for a card in a space that links to it; an invalid URL gets a card without a site',
      permission: 'space.view',
      query: EmbedQuery,
      response: Embed,
      etag: true,
    },
    async ({ query }) => describeUrl(query.url),
  ),
];
