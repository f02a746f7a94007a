import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';

type Operation = {
  group: string;
  method: string;
  path: string;
  operationId: string;
  success: number;
  list: boolean;
  deprecated: boolean;
  permission: string;
};

/** The documented operations: method, path, id, status and permission. */
const operations: Operation[] = JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8'));

/** Operations next to the documented ones, each with the reason why it exists. */
const ours: Record<string, string> = {
  getApiInformation: 'clients ask for the version',
  getCapabilities: 'and which languages can be translated',
  getAuthenticatedUser: 'clients ask who they are',
  getUserById: '`urls.location` of a user leads here',
  updateUserById: 'and people change their names',
  listApiTokensOfAuthenticatedUser: 'tokens are made by those who use them',
  createApiToken: 'as above',
  revokeApiToken: 'as above',
  createOrganization: 'nothing else makes one',
  inviteUsersToOrganization: 'nothing else makes members',
  listPendingMembershipsOfAuthenticatedUser: 'existing users are asked before they become members',
  acceptPendingMembership: 'as above',
  declinePendingMembership: 'as above',
  listPendingMembersInOrganization: 'and admins see whom they have asked',
  removePendingMemberFromOrganization: 'as above',
  listOrganizationInviteLinks: 'the documented operation only revokes a link',
  createOrganizationInvite: 'as above',
  getOrganizationInviteLink: 'as above',
  updateOrganizationInviteById: 'as above',
  joinOrganizationWithInvite: 'and links are used',
  joinOrganization: 'e-mail domains are for joining',
  publishSite: 'nothing else publishes a site',
  unpublishSite: 'or takes it off the net',
  getSiteStructure: 'readers need it without the whole profile',
  sortSiteStructure: 'what the deprecated move points to',
  getSiteCustomizationById: 'the look of a site has to be set somewhere',
  updateSiteCustomizationById: 'as above',
  getSiteSpaceCustomizationById: 'as above',
  overrideSiteSpaceCustomizationById: 'as above',
  deleteSiteSpaceCustomizationById: 'as above',
  listSiteShareLinks: 'a site with the visibility `share-link` needs keys',
  createSiteShareLink: 'as above',
  updateSiteShareLinkById: 'as above',
  deleteSiteShareLinkById: 'as above',
  getSitePublishingAuthById: 'one with the visibility `visitor-auth` needs the key that signs visitors',
  updateSitePublishingAuthById: 'as above',
  regenerateSitePublishingAuthById: 'as above',
  putCustomHostname: 'no documented operation adds a hostname',
  getCustomHostname: '`urls.location` of a custom hostname leads here',
  dnsRevalidateCustomHostname: 'its DNS records may be checked before the next regular time',
  removeCustomHostname: 'and a site may give it up',
  getSitePublishingPreviewById: 'a site is looked at before it is published',
  getSiteSpaceById: 'a change names the version that it was made for',
  getSiteSectionById: 'as above',
  getSiteSectionGroupById: 'as above',
  getSiteRedirectById: 'as above',
  listSiteRedirects: 'pages move',
  createSiteRedirect: 'as above',
  bulkUpsertSiteRedirects: 'as above',
  updateSiteRedirectById: 'as above',
  deleteSiteRedirectById: 'as above',
  getSiteRedirectBySource: 'and readers ask where to',
  listSiteIntegrationScripts: 'readers ask for them',
  trackEventsInSiteById: 'readers post them',
  listSiteFeedback: 'and editors look at their ratings of pages',
  searchSiteContent: 'and have a box to search in',
  resolvePublishedContentByUrl: 'and begin with a URL',
  getContentByUrl: 'links of the application lead back to objects',
  getEmbedByUrl: 'links are shown as cards',
  getEmbedByUrlInSpace: 'as above',
  inviteToSpace: 'roles are granted in spaces, collections and sites',
  listUserPermissionsInSpace: 'as above',
  listTeamPermissionsInSpace: 'as above',
  listPermissionsAggregateInSpace: 'as above',
  updateUserPermissionInSpace: 'as above',
  updateTeamPermissionInSpace: 'as above',
  removeUserFromSpace: 'as above',
  removeTeamFromSpace: 'as above',
  inviteToCollection: 'as above',
  listUserPermissionsInCollection: 'as above',
  listTeamPermissionsInCollection: 'as above',
  listPermissionsAggregateInCollection: 'as above',
  updateUserPermissionInCollection: 'as above',
  updateTeamPermissionInCollection: 'as above',
  removeUserFromCollection: 'as above',
  removeTeamFromCollection: 'as above',
  inviteToSite: 'as above',
  listUserPermissionsInSite: 'as above',
  listTeamPermissionsInSite: 'as above',
  listPermissionsAggregateInSite: 'as above',
  updateUserPermissionInSite: 'as above',
  updateTeamPermissionInSite: 'as above',
  removeUserFromSite: 'as above',
  removeTeamFromSite: 'as above',
  getPageByPath: 'readers know paths, not ids',
  getPageInChangeRequestByPath: 'as above',
  updateChangeRequestContent: 'nothing else edits a page',
  previewPageInChangeRequest: 'and editors show an edit before they save it',
  getRevisionById: 'revisions that are not the main content are read by id',
  listRevisions: 'without it, a history is read one parent after the other',
  listPagesInRevisionById: 'as above',
  listFilesInRevisionById: 'as above',
  getFileInRevisionById: 'as above',
  getPageInRevisionById: 'as above',
  getPageInRevisionByPath: 'as above',
  getPageDocumentById: 'a page as a tree, without the page',
  getPageDocumentInChangeRequestById: 'as above',
  getPageDocumentInRevisionById: 'as above',
  listSpacePageMetaLinks: 'readers tell search engines where else a page is',
  listChangeRequestPageMetaLinks: 'as above',
  listRevisionPageMetaLinks: 'as above',
  getReusableContentById: 'a document refers to reusable contents',
  getReusableContentInChangeRequestById: 'as above',
  getReusableContentInRevisionById: 'as above',
  getReusableContentDocumentById: 'as above',
  getReusableContentDocumentInChangeRequestById: 'as above',
  getReusableContentDocumentInRevisionById: 'as above',
  getDocumentById: '`documentId` leads here',
  getComputedDocument: '`computed` of a page is what to compute its document from',
  getComputedRevision: 'and of a computed page its pages',
  listChangeRequestsForOrganization: 'what there is to review, over all spaces',
  getChangeRequestChanges: 'what a change request does is looked at before it is merged',
  getChangeRequestConflicts: 'and so is what it would override, to settle it',
  getRevisionSemanticChanges: 'and what a revision did, afterwards',
  getContributorsByChangeRequestId: 'who worked on a change request',
  listCommentRepliesInSpace: 'replies are listed under a change request, so under a space too',
  getReviewsByChangeRequestId: 'change requests are reviewed before they are merged',
  submitChangeRequestReview: 'as above',
  getChangeRequestReviewById: 'as above',
  getRequestedReviewersByChangeRequestId: 'and somebody is asked to do it',
  requestReviewersForChangeRequest: 'as above',
  removeRequestedReviewerFromChangeRequest: 'as above',
  getLatestOpenAPISpecVersionContentRaw: 'the document as it was received',
  refreshOpenAPISpecBySlug: 'a URL can be fetched before its time',
  getOpenAPISpecVersionCompatibility: 'a version may be refused by other tools',
  getOpenAPISpecVersionLint: 'and have a poor style',
  compareOpenAPISpecVersions: 'and break clients',
  getOpenAPIExcerpts: 'editors show the operations on a page, not only their names',
  getOpenAPISettings: 'an organization decides what breaks its clients',
  replaceOpenAPISettings: 'as above',
  getOpenAPISpecVersionFindings: 'a version may have faults',
  getPublishedOpenAPISpec: '`urls.published` of a public specification leads here',
  getPublishedOpenAPISpecJSON: '`urls.json` leads here',
  getPublishedOpenAPISpecYAML: '`urls.yaml` leads here',
  getPublishedOpenAPISpecReference: '`urls.reference` leads here',
  runTranslation: 'otherwise a translation can never be refreshed',
  listTranslationSegments: 'a translation is reviewed text by text',
  getTranslationSegment: 'as above',
  updateTranslationSegment: 'as above',
  exportTranslation: 'translators work in tools of their own',
  importTranslation: 'and send the texts back',
  exportTranslationMemory: 'a memory is worth something in other tools too',
  importTranslationMemory: 'and theirs here',
  listGlossaryEntries: 'terms that runs keep to',
  getGlossaryEntry: '`urls.location` of an entry leads here',
  updateGlossaryEntries: 'and what writes them',
  describeGitRemote: 'a branch is chosen, and a login tried, before an import starts',
  setGitHook: 'a push starts an import without a script',
  getGitHook: 'as above',
  deleteGitHook: 'as above',
  rotateGitHookSecret: 'as above',
  receiveGitHookEvent: 'git hosts send their pushes there',
  getSpacePDF: 'the main content as a PDF, next to that of a change request',
  startImportRun: 'an import whose end nobody waits for',
  listImportRuns: 'as above',
  getImportRun: 'as above',
  cancelImportRun: 'as above',
  importFolder: 'a folder of Markdown is pushed from a disk or a build',
  generateStorageUploadURL: 'files on a disk are imported too',
  getJobById: 'long work is a job',
  streamJobEvents: 'and can be followed',
  cancelJob: 'and stopped',
  retryJob: 'and run again',
  listJobsInOrganizationById: 'and found',
  replayJobsInOrganizationById: 'also many at once',
  listWebhooks: 'what happens in spaces is told to other services',
  createWebhook: 'as above',
  getWebhookById: 'as above',
  updateWebhookById: 'as above',
  deleteWebhookById: 'as above',
  rotateWebhookSecret: 'as above',
  pingWebhook: 'and tried out',
  listWebhookDeliveries: 'and what did not arrive is found',
  getWebhookDeliveryById: 'as above',
  redeliverWebhookDelivery: 'and sent again',
};

const mounted = new Map(routes.map((route) => [route.spec.operationId, route]));

/** Names of path parameters are not part of a path: `latest` and `{versionId}` are. */
const keyOf = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}|[:*]\w+/g, '{}')}`;

describe('the documented operations', () => {
  it.each(operations.filter(({ operationId }) => mounted.has(operationId)))(
    '$operationId is mounted as documented',
    (operation) => {
      const route = mounted.get(operation.operationId) as Route;
      expect(keyOf(route.method, `/v1${route.path}`)).toBe(keyOf(operation.method, operation.path));
      expect(route.spec.status ?? (route.kind === 'delete' || !route.spec.response ? 204 : 200)).toBe(
        operation.success,
      );
      expect(route.kind === 'list').toBe(operation.list);
      expect(route.kind === 'delete').toBe(operation.method === 'DELETE');
      expect(route.spec.permission).toBe(operation.permission);
      expect(route.spec.deprecated ?? false).toBe(operation.deprecated);
      expect(route.admits).not.toBe('everyone');
    },
  );

  it('are all mounted', () => {
    expect(operations.filter(({ operationId }) => !mounted.has(operationId))).toEqual([]);
  });

  it('are not mounted under another id', () => {
    const documented = new Map(
      operations.map(({ method, path, operationId }) => [keyOf(method, path), operationId]),
    );
    for (const { method, path, spec } of routes)
      expect([spec.operationId, documented.get(keyOf(method, `/v1${path}`)) ?? spec.operationId]).toEqual([
        spec.operationId,
        spec.operationId,
      ]);
  });
});

it('operations beyond the documented ones are listed with a reason', () => {
  const documented = new Set(operations.map(({ operationId }) => operationId));
  const added = [...mounted.keys()].filter((operationId) => !documented.has(operationId));
  expect(added.toSorted(), 'each has an entry in `ours` of this file').toEqual(Object.keys(ours).toSorted());
});
