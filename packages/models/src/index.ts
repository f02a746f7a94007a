export { watchTransactions } from './abandonedTransactions.ts';
export { accessBelow, accessSchema, audienceOf, everyMember, rankOf, type AccessRecord } from './access.ts';
export * from './accounts.ts';
export { ApiToken, type ApiTokenRecord } from './apiToken.ts';
export { changeTree } from './changeTree.ts';
export {
  ChangeRequest,
  statusCounters,
  touchChangeRequest,
  type ChangeRequestRecord,
  type ContributionRecord,
  type RequestedReviewerRecord,
} from './changeRequest.ts';
export { Collection, type CollectionRecord } from './collection.ts';
export {
  Comment,
  CommentReply,
  type BodyRecord,
  type CommentRecord,
  type CommentReplyRecord,
  type ReactionRecord,
  type RemarkRecord,
  type TargetPageRecord,
} from './comment.ts';
export {
  connectMongo,
  disconnectMongo,
  isCommitAwaited,
  isDuplicateKey,
  mongoClient,
  mongoDatabase,
  pingMongo,
  singleWrite,
  withCondition,
  withFirstCommit,
  withTransaction,
  type ClientSession,
} from './connection.ts';
export { databaseNow, databaseTime } from './databaseClock.ts';
export {
  ContentNode,
  PageDocument,
  Revision,
  type ContentNodeRecord,
  type MergedFromRecord,
  type PageDocumentRecord,
  type RevisionGitRecord,
  type RevisionRecord,
} from './content.ts';
export { ensureIndexes } from './ensureIndexes.ts';
export { FailingApp, forgetFailingApp, noteFailingApp, type FailingAppRecord } from './failingApp.ts';
export {
  GitCredential,
  GitRepository,
  GitSyncPoint,
  gitSyncOf,
  type GitCredentialRecord,
  type GitRepositoryPart,
  type GitRepositoryRecord,
  type GitSyncPointRecord,
} from './git.ts';
export {
  isUnexpired,
  jobCollection,
  JobModel,
  Lease,
  WorkerEntry,
  type JobAttempt,
  type JobErrorRecord,
  type JobEventRecord,
  type JobRecord,
  type JobWaiting,
  type LeaseRecord,
  type WorkerRecord,
} from './job.ts';
export { findOutcomes, jobOf, JobOutcome, jobOutcomeCollection, type JobOutcomeRecord } from './jobOutcome.ts';
export { addToJobLogBlock, inJobLogBlocks, jobLogBlockLines, jobLogCollection, writtenLogLines, type JobLogLine } from './jobLog.ts';
export { Grant, type GrantRecord } from './grant.ts';
export {
  answerIdempotencyKey,
  claimIdempotencyKey,
  commitIdempotencyKey,
  idempotencyCollection,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  type IdempotencyRecord,
} from './idempotency.ts';
export { Invite, type InviteRecord } from './invite.ts';
export { addMembers, findOrCreateUsers, hasOtherAdmin, newMember } from './members.ts';
export { Member, Organization, type MemberRecord, type OrganizationRecord } from './organization.ts';
export {
  insertSpecVersion,
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecSourceRecord,
  type OpenAPISpecVersionRecord,
} from './openapi.ts';
export { OutboxEvent, settleOutboxEvents, writeOutboxEvents, type NewOutboxEvent, type OutboxEventRecord } from './outbox.ts';
export { ContentMoved, followContent, publishRevision, whileContentMoves } from './publishRevision.ts';
export { positionAtEnd, positionBetween, siblingModels, type Sibling, type SiblingModel } from './positions.ts';
export { holdTree, lockTree, refreshAccess } from './refreshAccess.ts';
export { removeGrantsOf } from './removeGrantsOf.ts';
export { refreshSiteAccess } from './refreshSiteAccess.ts';
export { Review, type ReviewRecord } from './review.ts';
export { hasActiveSamlProvider, SamlProvider, type SamlProviderRecord } from './saml.ts';
export { removeSiteSpaces } from './removeSiteSpaces.ts';
export { sealedSecretOf } from './sealedSecret.ts';
export { serialized } from './serialized.ts';
export {
  Site,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  type SiteRecord,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SiteVisibility,
} from './site.ts';
export {
  beginSiteHostCheck,
  claimProxy,
  endSiteHostCheck,
  hostOfProxy,
  proveSiteHost,
  SiteHost,
  siteHostProof,
  type SiteHostRecord,
} from './siteHost.ts';
export { refreshSpaceVisibility, tellVisibility, visibilityOf } from './spaceVisibility.ts';
export { deletedSpaceRetentionDays, spaceRecords, spaceRecordsOfOrganization } from './spaceRecords.ts';
export { noCounts, Space, type GitSyncRecord, type SpaceRecord } from './space.ts';
export { holdTeam, Team, type TeamRecord } from './team.ts';
export { GlossaryEntry, Translation, type GlossaryEntryRecord, type TranslationRecord } from './translation.ts';
export { PublishingAuth, type PublishingAuthRecord } from './publishingAuth.ts';
export { ShareLink, type ShareLinkRecord } from './shareLink.ts';
export { SiteRedirect, type SiteRedirectDestinationRecord, type SiteRedirectRecord } from './siteRedirect.ts';
export { upgradeRecords } from './upgradeRecords.ts';
export { User, type UserRecord } from './user.ts';
export { IndexTask, requestIndexing, type IndexTaskRecord } from './indexTask.ts';
export {
  indexFormat,
  IndexedPage,
  SpaceIndex,
  type IndexedPageRecord,
  type IndexedSectionRecord,
  type SpaceIndexRecord,
} from './contentIndex.ts';
export { StorageSweep, type StorageSweepRecord } from './storageSweep.ts';
export { DocumentLinks, type DocumentLinkRecord, type DocumentLinksRecord } from './documentLinks.ts';
export { SpaceMentions, type SpaceMentionsRecord } from './spaceMentions.ts';
export { WebhookEndpoint, webhookSealContext, type WebhookEndpointRecord } from './webhook.ts';
export {
  failPendingWebhookDeliveries,
  insertWebhookDeliveries,
  insertWebhookDelivery,
  keptWebhookAttempts,
  placeWebhookDeliveries,
  restartWebhookDelivery,
  WebhookDelivery,
  webhookDeliveryCollection,
  type WebhookAttemptRecord,
  type WebhookDeliveryRecord,
} from './webhookDelivery.ts';
export { WebhookLane, webhookLaneCollection, type WebhookLaneRecord } from './webhookLane.ts';
