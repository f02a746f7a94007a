import type { Route } from './http/scope.ts';
import { changeRequestContentRoutes } from './resources/change-request-content/changeRequestContent.routes.ts';
import { changeRequestRoutes } from './resources/change-request/changeRequest.routes.ts';
import { changeRequestMergeRoutes } from './resources/change-request/merge.routes.ts';
import { allCommentRoutes } from './resources/comment/comment.routes.ts';
import { collectionRoutes } from './resources/collection/collection.routes.ts';
import { allContentRoutes } from './resources/content/content.routes.ts';
import { revisionRoutes } from './resources/content/revision.routes.ts';
import { contentImportRoutes } from './resources/content-import/contentImport.routes.ts';
import { importRunRoutes } from './resources/content-import/importRun.routes.ts';
import { customHostnameRoutes } from './resources/custom-hostname/customHostname.routes.ts';
import { gitRoutes } from './resources/git/git.routes.ts';
import { gitHookRoutes } from './resources/git/hook/gitHook.routes.ts';
import { allGrantRoutes } from './resources/grant/grant.routes.ts';
import { inviteRoutes } from './resources/invite/invite.routes.ts';
import { jobRoutes } from './resources/job/job.routes.ts';
import { allLinkRoutes } from './resources/link/link.routes.ts';
import { memberRoutes } from './resources/member/member.routes.ts';
import { pendingMemberRoutes } from './resources/pending-member/pendingMember.routes.ts';
import { openapiExcerptsRoutes } from './resources/content/openapiExcerpts.routes.ts';
import { openapiSettingsRoutes } from './resources/openapi-spec/openapiSettings.routes.ts';
import { openapiSpecRoutes } from './resources/openapi-spec/openapiSpec.routes.ts';
import { openapiSpecReviewRoutes } from './resources/openapi-spec/openapiSpecReview.routes.ts';
import { openapiSpecVersionRoutes } from './resources/openapi-spec/openapiSpecVersion.routes.ts';
import { publishedSpecRoutes } from './resources/openapi-spec/publishedSpec.routes.ts';
import { newOrganizationRoutes } from './resources/new-organization/newOrganization.routes.ts';
import { organizationRoutes } from './resources/organization/organization.routes.ts';
import { pdfRoutes } from './resources/pdf/pdf.routes.ts';
import { platformRoutes } from './resources/platform/platform.routes.ts';
import { publishedRoutes } from './resources/published/published.routes.ts';
import { publishingAuthRoutes } from './resources/publishing-auth/publishingAuth.routes.ts';
import { searchRoutes } from './resources/search/search.routes.ts';
import { shareLinkRoutes } from './resources/share-link/shareLink.routes.ts';
import { siteAdaptiveSchemaRoutes } from './resources/site-adaptive-schema/siteAdaptiveSchema.routes.ts';
import { siteCustomizationRoutes } from './resources/site-customization/siteCustomization.routes.ts';
import { siteRedirectRoutes } from './resources/site-redirect/siteRedirect.routes.ts';
import { siteInsightRoutes } from './resources/site-insight/siteInsight.routes.ts';
import { siteScriptRoutes } from './resources/site-script/siteScript.routes.ts';
import { siteSectionGroupRoutes } from './resources/site-section-group/siteSectionGroup.routes.ts';
import { siteSectionRoutes } from './resources/site-section/siteSection.routes.ts';
import { siteSpaceRoutes } from './resources/site-space/siteSpace.routes.ts';
import { siteRoutes } from './resources/site/site.routes.ts';
import { siteStructureRoutes } from './resources/site/structure.routes.ts';
import { reviewRoutes } from './resources/review/review.routes.ts';
import { spaceRoutes } from './resources/space/space.routes.ts';
import { urlRoutes } from './resources/url/url.routes.ts';
import { userRoutes } from './resources/user/user.routes.ts';
import { samlRoutes } from './resources/saml/saml.routes.ts';
import { storageRoutes } from './resources/storage/storage.routes.ts';
import { teamRoutes } from './resources/team/team.routes.ts';
import { translationExchangeRoutes } from './resources/translation/exchange/exchange.routes.ts';
import { translationMemoryRoutes } from './resources/translation/exchange/memory.routes.ts';
import { translationRoutes } from './resources/translation/translation.routes.ts';
import { translationSegmentRoutes } from './resources/translation/translationSegment.routes.ts';
import { webhookRoutes } from './resources/webhook/webhook.routes.ts';

/** Every operation of the API. */
export const routes: readonly Route[] = [
  ...platformRoutes,
  ...userRoutes,
  ...urlRoutes,
  ...organizationRoutes,
  ...newOrganizationRoutes,
  ...memberRoutes,
  ...inviteRoutes,
  ...pendingMemberRoutes,
  ...collectionRoutes,
  ...spaceRoutes,
  ...allGrantRoutes,
  ...siteRoutes,
  ...customHostnameRoutes,
  ...siteStructureRoutes,
  ...siteSpaceRoutes,
  ...siteSectionRoutes,
  ...siteSectionGroupRoutes,
  ...siteAdaptiveSchemaRoutes,
  ...siteCustomizationRoutes,
  ...shareLinkRoutes,
  ...publishedRoutes,
  ...publishingAuthRoutes,
  ...siteRedirectRoutes,
  ...siteScriptRoutes,
  ...siteInsightRoutes,
  ...searchRoutes,
  ...allContentRoutes,
  ...revisionRoutes,
  ...allLinkRoutes,
  ...contentImportRoutes,
  ...importRunRoutes,
  ...storageRoutes,
  ...changeRequestRoutes,
  ...changeRequestContentRoutes,
  ...changeRequestMergeRoutes,
  ...allCommentRoutes,
  ...reviewRoutes,
  ...gitRoutes,
  ...gitHookRoutes,
  ...pdfRoutes,
  ...openapiSpecRoutes,
  ...openapiSpecReviewRoutes,
  ...openapiSpecVersionRoutes,
  ...publishedSpecRoutes,
  ...openapiSettingsRoutes,
  ...openapiExcerptsRoutes,
  ...translationRoutes,
  ...translationSegmentRoutes,
  ...translationExchangeRoutes,
  ...translationMemoryRoutes,
  ...jobRoutes,
  ...samlRoutes,
  ...teamRoutes,
  ...webhookRoutes,
];
