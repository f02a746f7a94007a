import {
  claimProxy,
  endHostnames,
  Grant,
  Organization,
  PageFeedback,
  PublishingAuth,
  serialized,
  ShareLink,
  Site,
  SiteRedirect,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  refreshSpaceVisibility,
  withTransaction,
  type SiteRecord,
} from '@bindery/models';

/** Removes a site with all its records; the spaces stay. */
export async function deleteSite({
  _id,
  organization,
}: Pick<SiteRecord, '_id' | 'organization'>): Promise<void> {
  const ofSite = { site: _id };
  await serialized(`site:${_id}`, async () =>
    withTransaction(async (session) => {
      const site = await Site.findOneAndDelete({ _id }, { session }).lean<SiteRecord>();
      if (site) await claimProxy(site, undefined, session);
      await endHostnames(ofSite, session);
      const spaces = await SiteSpace.distinct('space', ofSite).session(session);
      await SiteSpace.deleteMany(ofSite, { session });
      await SiteSection.deleteMany(ofSite, { session });
      await SiteSectionGroup.deleteMany(ofSite, { session });
      await ShareLink.deleteMany(ofSite, { session });
      await SiteRedirect.deleteMany(ofSite, { session });
      await PageFeedback.deleteMany(ofSite, { session });
      await PublishingAuth.deleteOne({ _id }, { session });
      await Grant.deleteMany({ target: _id }, { session });
      await Organization.updateOne(
        { _id: organization, 'defaultContent.site': _id },
        { $unset: { defaultContent: 1 } },
        { session },
      );
      await refreshSpaceVisibility(spaces, session);
    }),
  );
}
