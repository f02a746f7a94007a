import {
  notFound,
  PublishedContent,
  PublishedContentSite,
  ResolvePublishedContent,
  ShareKey,
} from '@bindery/contract';
import { resolvePublishedUrl } from '@bindery/publishing';
import { z } from 'zod';
import { open } from '../../http/scope.ts';
import { findShareKey } from '../site/shareKey.ts';
import { inReadableSite } from '../site/site.scope.ts';
import { loadSiteView } from '../site/siteView.ts';
import { presentPublishedSite } from './published.presenter.ts';

export const publishedRoutes = [
  inReadableSite.get(
    '/published',
    {
      operationId: 'getPublishedContentSite',
      summary: 'Get the data with which a reader of a published site starts',
      description:
        'Visitors get the parts of the site that they can view; a site with share links requires the key of one. Members get the whole' +
        ' site, published or not.',
      permission: 'site.view',
      query: z.object({ shareKey: ShareKey.describe('The key of a share link: published URLs hold it.') }),
      response: PublishedContentSite,
      etag: true,
    },
    async ({ query, reader, ...at }) => {
      const { site } = at;
      const shareKey = await findShareKey(at.platform.config.secrets, { site, shareKey: query.shareKey });
      const needsKey = site.visibility === 'share-link' && reader.visitor && !reader.visitor.isPreview;
      if (needsKey && shareKey === undefined) throw notFound('site', site._id);
      return presentPublishedSite(await loadSiteView(at, { shareKey }), {
        role: at.role,
        claims: reader.visitor?.claims,
      });
    },
  ),

  open.post(
    '/urls/published',
    {
      operationId: 'resolvePublishedContentByUrl',
      summary: 'Find the published content under a URL',
      description:
        'Requires no token. Answers with a token that reads this content, or with the address that a visitor has to visit first. ' +
        'Shorter prefixes of a URL resolve to the same site; readers use the longest that is `complete`.',
      permission: 'public',
      tags: ['URL'],
      body: ResolvePublishedContent,
      response: PublishedContent,
    },
    async ({ platform, body }) => resolvePublishedUrl(platform, body),
  ),
];
