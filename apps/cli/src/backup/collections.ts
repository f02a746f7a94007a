/**
 * The collections of a backup, all of one moment. Content (`contentCollections`, files) is read separately,
 * because it never changes. test/workers/storage/backup.test.ts compares these lists with a database.
 *
 * A restore writes them in this order. API tokens are last: nobody can use an incomplete installation.
 */
export const recordCollections = [
  'schemaVersions',
  'organizations',
  'users',
  'members',
  'pendingMembers',
  'invites',
  'teams',
  'grants',
  'samlProviders',
  'siteHosts',
  'collections',
  'spaces',
  'revisions',
  'changeRequests',
  'changeRequestReviews',
  'comments',
  'commentReplies',
  'sites',
  'siteSections',
  'siteSectionGroups',
  'siteSpaces',
  'siteRedirects',
  'shareLinks',
  'publishingAuths',
  'openapiSpecs',
  'openapiSpecVersions',
  'specFollowUps',
  'translations',
  'translatedPages',
  'translatedSegments',
  'translationMemory',
  'translationUsage',
  'glossaryEntries',
  'gitCredentials',
  'gitHooks',
  'gitSyncPoints',
  'pageHistories',
  'pageHistoryParts',
  'webhookEndpoints',
  'webhookDeliveries',
  'webhookLanes',
  'outboxEvents',
  // A client that repeats a request gets the first answer, also from the restored installation.
  'idempotencyKeys',
  'operatorActions',
  'kindPauses',
  'jobLimits',
  'jobReplays',
  'jobOutcomes',
  'jobLogs',
  'jobs',
  'apiTokens',
] as const;

/** Immutable records, stored under the hashes of their content. */
export const contentCollections = ['nodes', 'documents'] as const;

/** Collections that no backup has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  contentIndex: 'Made again from the content by the indexer.',
  spaceIndexes: 'The state of that index.',
  spaceMentions: 'Made again with that index.',
  documentLinks: 'Made again with that index.',
  indexTasks: 'The indexer looks for spaces without an index at its start.',
  gitRepositories: 'A cache: the next import of a repository reads all of it.',
  storageSweeps: 'The progress of a sweep, which begins anew.',
  restorations: 'Of this database.',
  leases: 'Of running processes.',
  workers: 'Of running processes.',
  failingApps: 'Of running processes.',
};
