import type { Seeds } from './seedIds.ts';

/**
 * A request that succeeds, where a generated one would never name what is there: the fixed ids of its path,
 * its query, its body.
 */
export type Example = { ids?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/**
 * By operation. The ids that stand in a path here are only for this operation: it changes where they belong.
 */
export function examplesFor({ world: { places }, spare, extras }: Seeds): Record<string, Example> {
  const at = (place: string) => places[place] ?? '';
  const space = at('/spaces/:spaceId');
  const changeRequest = '/spaces/:spaceId/change-requests/:changeRequestId';
  const site = '/orgs/:organizationId/sites/:siteId';
  const grant = { body: { role: 'read', users: [at('/orgs/:organizationId/members/:userId')] } };
  return {
    getJobById: { query: { wait: '0' } },
    getContentByUrl: { query: { url: extras.appUrl } },
    getEmbedByUrl: { query: { url: 'https://example.org/page' } },
    getEmbedByUrlInSpace: { query: { url: 'https://example.org/page' } },
    getSiteRedirectBySource: { query: { source: extras.redirectSource } },
    resolvePublishedContentByUrl: { body: { url: extras.publishedUrl } },
    moveCollection: { body: { parent: spare['/collections/:collectionId'] } },
    moveSpace: { body: { parent: at('/collections/:collectionId') } },
    transferCollection: {
      ids: { collectionId: extras.leavingCollection },
      body: { organization: extras.otherOrganization },
    },
    transferSpace: {
      ids: { spaceId: extras.leavingSpace },
      body: { organization: extras.otherOrganization },
    },
    restoreSpace: { ids: { spaceId: extras.deletedSpace } },
    inviteToSpace: grant,
    inviteToCollection: grant,
    inviteToSite: grant,
    addSpaceToSite: { body: { spaceId: space } },
    addSectionToSite: { body: { spaceId: space, title: 'Section' } },
    addSectionToGroup: { body: { sectionId: spare[`${site}/sections/:siteSectionId`] } },
    sortSiteStructure: {
      body: {
        item: { type: 'site-section', id: at(`${site}/sections/:siteSectionId`) },
        position: {
          before: { type: 'site-section-group', id: at(`${site}/section-groups/:siteSectionGroupId`) },
        },
      },
    },
    createSiteRedirect: {
      body: { source: '/moved', destination: { kind: 'external', url: 'https://example.org/there' } },
    },
    createWebhook: {
      body: { url: 'https://hooks.example.org/', events: ['space_content_updated'], spaces: [space] },
    },
    updateWebhookById: { body: { url: 'https://hooks.example.org/there' } },
    createTranslation: { body: { language: 'de', source: { space, language: 'en' } } },
    createOpenAPISpec: { body: { slug: 'pets', source: { text: '{"openapi":"3.1.0"}' } } },
    postCommentInSpace: { body: { body: { markdown: 'Hello' } } },
    postCommentInChangeRequest: { body: { body: { markdown: 'Hello' } } },
    postCommentReplyInSpace: { body: { body: { markdown: 'Hello' } } },
    postCommentReplyInChangeRequest: { body: { body: { markdown: 'Hello' } } },
    requestReviewersForChangeRequest: { body: { users: [at('/orgs/:organizationId/members/:userId')] } },
    // A change request ends with its merge, so that one is of nobody else.
    mergeChangeRequest: { ids: { changeRequestId: spare[changeRequest] ?? '' } },
    updateChangeRequestContent: {
      body: {
        changes: [
          {
            operation: 'insert_page',
            title: 'New',
            document: { markdown: 'Text with a [link](https://example.org/).' },
          },
        ],
      },
    },
    applyTemplateToSpace: { body: { id: 'blank' } },
    startImportRun: {
      body: { source: { type: 'website', url: 'https://imports.example.org/' }, target: { space } },
    },
    importGitRepository: { body: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' } },
    exportToGitRepository: {
      body: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main', commitMessage: 'Words' },
    },
  };
}

type Operation = { operationId: string; requestBody?: { content: Record<string, { example?: unknown }> } };

/**
 * Writes the bodies into a document that the fuzzer is given instead of the API's own, which is otherwise the
 * same.
 */
export function addExamples(
  document: { paths: Record<string, Record<string, Operation>> },
  examples: Record<string, Example>,
): void {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, requestBody } of operations) {
    const content = requestBody?.content['application/json'];
    const body = examples[operationId]?.body;
    if (content && body !== undefined) content.example = body;
  }
}
