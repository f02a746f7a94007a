import { Id, notFound } from '@bindery/contract';
import { SiteSectionGroup, type SiteSectionGroupRecord } from '@bindery/models';
import { versionOf } from '../../records/versionOf.ts';
import { inSite } from '../site/site.scope.ts';

/** A group of sections of a site. */
export const inSiteSectionGroup = inSite.scope({
  name: 'SiteSectionGroup',
  path: '/section-groups/:siteSectionGroupId',
  params: { siteSectionGroupId: Id },
  load: async ({ site, params }) => {
    const group = await SiteSectionGroup.findOne({
      _id: params.siteSectionGroupId,
      site: site._id,
    }).lean<SiteSectionGroupRecord>();
    if (!group) throw notFound('site section group', params.siteSectionGroupId);
    return { group };
  },
  permissions: () => ({}),
  version: ({ group }) => versionOf(SiteSectionGroup, { _id: group._id }),
});
