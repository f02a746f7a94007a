import { Id, notFound } from '@bindery/contract';
import { SiteSection, type SiteSectionRecord } from '@bindery/models';
import { versionOf } from '../../records/versionOf.ts';
import { inSite } from '../site/site.scope.ts';

/** A section of a site. */
export const inSiteSection = inSite.scope({
  name: 'SiteSection',
  path: '/sections/:siteSectionId',
  params: { siteSectionId: Id },
  load: async ({ site, params }) => {
    const section = await SiteSection.findOne({
      _id: params.siteSectionId,
      site: site._id,
    }).lean<SiteSectionRecord>();
    if (!section) throw notFound('site section', params.siteSectionId);
    return { section };
  },
  permissions: () => ({}),
  version: ({ section }) => versionOf(SiteSection, { _id: section._id }),
});
