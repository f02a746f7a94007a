import { Id, notFound } from '@bindery/contract';
import { SiteSpace, type SiteSpaceRecord } from '@bindery/models';
import { versionOf } from '../../records/versionOf.ts';
import { inSite } from '../site/site.scope.ts';

/** A space on a site. */
export const inSiteSpace = inSite.scope({
  name: 'SiteSpace',
  path: '/site-spaces/:siteSpaceId',
  params: { siteSpaceId: Id },
  load: async ({ site, params }) => {
    const siteSpace = await SiteSpace.findOne({
      _id: params.siteSpaceId,
      site: site._id,
    }).lean<SiteSpaceRecord>();
    if (!siteSpace) throw notFound('site space', params.siteSpaceId);
    return { siteSpace };
  },
  permissions: () => ({}),
  version: ({ siteSpace }) => versionOf(SiteSpace, { _id: siteSpace._id }),
});
