import type { Route } from './http/route.ts';
import { accountRoutes } from './pages/account/routes.ts';
import { changeRequestRoutes } from './pages/change-request/changeRequest.ts';
import { conflictRoutes } from './pages/change-request/conflicts.ts';
import { collectionRoutes } from './pages/collection/collection.ts';
import { commentRoutes } from './pages/change-request/comments.ts';
import { editPageRoutes } from './pages/change-request/editPage.ts';
import { changeRequestPagesRoutes } from './pages/change-request/pages.ts';
import { readPageRoutes } from './pages/change-request/readPage.ts';
import { comparisonRoutes } from './pages/compare/comparison.ts';
import { fileRoutes } from './pages/file/routes.ts';
import { gitSyncRoutes } from './pages/gitSync.ts';
import { importRoutes } from './pages/import/routes.ts';
import { jobRoutes } from './pages/job/jobPage.ts';
import { jobsRoutes } from './pages/job/jobsPage.ts';
import { specRoutes } from './pages/openapi-spec/routes.ts';
import { organizationRoutes } from './pages/organization/routes.ts';
import { openIdSignInRoutes } from './pages/openIdSignIn.ts';
import { overviewRoutes } from './pages/overview.ts';
import { contentPermissionRoutes } from './pages/permission/routes.ts';
import { pdfRoutes } from './pages/pdf.ts';
import { providerSignInRoutes } from './pages/providerSignIn.ts';
import { reviewerRoutes } from './pages/change-request/reviewers.ts';
import { revisionFileRoutes } from './pages/revisionFile.ts';
import { sessionRoutes } from './pages/sessions.ts';
import { signInRoutes } from './pages/signIn.ts';
import { allSiteRoutes } from './pages/site/routes.ts';
import { ssoRoutes } from './pages/single-sign-on/providers.ts';
import { spaceSettingsRoutes } from './pages/space-settings/spaceSettings.ts';
import { historyRoutes } from './pages/space/history.ts';
import { revertRoutes } from './pages/space/revertPage.ts';
import { spaceRoutes } from './pages/space/space.ts';
import { translationRoutes } from './pages/translation/routes.ts';
import { deliveryRoutes } from './pages/webhook/delivery.ts';
import { webhookRoutes } from './pages/webhook/webhooks.ts';

/** Every page and form of the console. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...openIdSignInRoutes,
  ...providerSignInRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...overviewRoutes,
  ...organizationRoutes,
  ...ssoRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...specRoutes,
  ...allSiteRoutes,
  ...translationRoutes,
  ...collectionRoutes,
  ...contentPermissionRoutes,
  ...spaceSettingsRoutes,
  ...spaceRoutes,
  ...historyRoutes,
  ...revertRoutes,
  ...revisionFileRoutes,
  ...fileRoutes,
  ...comparisonRoutes,
  ...changeRequestRoutes,
  ...conflictRoutes,
  ...reviewerRoutes,
  ...changeRequestPagesRoutes,
  ...editPageRoutes,
  ...readPageRoutes,
  ...commentRoutes,
  ...pdfRoutes,
  ...gitSyncRoutes,
  ...importRoutes,
  ...jobRoutes,
  ...jobsRoutes,
];
