export { watchTransactions } from './database/abandonedTransactions.ts';
export {
  accessBelow,
  accessSchema,
  audienceOf,
  everyMember,
  rankOf,
  type AccessRecord,
} from './access/access.ts';
export { readConsoleCredential, signConsoleCredential } from './sign-in/consoleCredential.ts';
export {
  consoleSessionEnd,
  ConsoleSession,
  endConsoleSessions,
  findConsoleSession,
  findSessionsInForce,
  listConsoleSessions,
  startConsoleSession,
  type ConsoleSessionRecord,
  type FoundSession,
  type SessionStart,
} from './sign-in/consoleSession.ts';
export { admitOpenIdUser, type AdmissionProblem } from './sign-in/admitOpenIdUser.ts';
export { OpenIdSignIn, startOpenIdSignIn, useOpenIdSignIn } from './sign-in/openIdSignIn.ts';
export { findRequiredSignIns, type RequiredSignIn } from './sign-in/requiredSignIns.ts';
export { openIdProviderHash, samlProviderHash } from './sign-in/providerHash.ts';
export { forgetIdentities } from './sign-in/userIdentity.ts';
export { createSignInLink, SignInLink, signInLinkMinutes, useSignInLink } from './sign-in/signInLink.ts';
export * from './organization/accounts.ts';
export { ApiToken, type ApiTokenRecord } from './organization/apiToken.ts';
export {
  answerSamlSignIn,
  endSamlSignIn,
  isSamlSignInOpen,
  SamlSignIn,
  startSamlSignIn,
  type SamlSignInRecord,
} from './sign-in/samlSignIn.ts';
export { changeTree } from './tree/changeTree.ts';
export {
  ChangeRequest,
  statusCounters,
  type ChangeRequestGitRecord,
  touchChangeRequest,
  type ChangeRequestRecord,
  type ContributionRecord,
  type RequestedReviewerRecord,
} from './space/changeRequest.ts';
export { insertChangeRequest, type NewChangeRequest } from './space/insertChangeRequest.ts';
export { Collection, type CollectionRecord } from './space/collection.ts';
export {
  Comment,
  CommentReply,
  type BodyRecord,
  type CommentRecord,
  type CommentReplyRecord,
  type ReactionRecord,
  type RemarkRecord,
  type TargetPageRecord,
} from './space/comment.ts';
export { findKeptResult, storeKeptResult } from './space/keptResult.ts';
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
} from './database/connection.ts';
export { databaseNow, databaseTime } from './database/databaseClock.ts';
export {
  contentFormat,
  ContentNode,
  PageDocument,
  Revision,
  type ContentNodeRecord,
  type MergedFromRecord,
  type PageDocumentRecord,
  type RevisionGitRecord,
  type ContentFields,
  type RevisionRecord,
} from './space/content.ts';
export {
  claimEmailDomains,
  domainRuleOf,
  signInRuleOf,
  effectiveDomainsField,
  noteEmailDomain,
  type DomainRule,
} from './organization/emailDomains.ts';
export { createIndexes } from './database/createIndexes.ts';
export { insertIgnoringDuplicates } from './database/insertMissing.ts';
export { FailingApp, forgetFailingApp, noteFailingApp, type FailingAppRecord } from './job/failingApp.ts';
export {
  GitHook,
  gitHookLoginContext,
  gitHookSecretContext,
  type GitHookEventRecord,
  type GitHookRecord,
} from './space/gitHook.ts';
export {
  GitCredential,
  gitCredentialContext,
  GitRepository,
  GitSyncPoint,
  gitSyncOf,
  type GitCredentialRecord,
  type GitRepositoryPart,
  type GitRepositoryRecord,
  type GitSyncPointRecord,
  type SyncPointTrees,
} from './space/git.ts';
export {
  PageHistory,
  PageHistoryPart,
  type PageHistoryPartRecord,
  type PageHistoryRecord,
} from './space/pageHistory.ts';
export {
  isUnexpired,
  jobCollection,
  jobsOfQueue,
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
} from './job/job.ts';
export {
  findOutcomes,
  jobOf,
  JobOutcome,
  jobOutcomeCollection,
  type JobOutcomeRecord,
} from './job/jobOutcome.ts';
export {
  addToJobLogBlock,
  inJobLogBlocks,
  jobLogBlockLines,
  findJobLogBlocks,
  jobLogCollection,
  writtenLogLines,
  type JobLogLine,
} from './job/jobLog.ts';
export { JobLimit, jobLimitId, type JobLimitRecord } from './job/jobLimit.ts';
export { KindPause, type KindPauseRecord } from './job/kindPause.ts';
export {
  JobReplay,
  OperatorAction,
  type JobReplayRecord,
  type OperatorActionRecord,
} from './job/operating.ts';
export { Grant, type GrantRecord } from './access/grant.ts';
export {
  answerIdempotencyKey,
  claimIdempotencyKey,
  commitIdempotencyKey,
  keepIdempotentJob,
  idempotencyCollection,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  type IdempotencyRecord,
} from './database/idempotency.ts';
export { Invite, type InviteRecord } from './organization/invite.ts';
export {
  addMembers,
  createNamedUser,
  findOrCreateUsers,
  hasOtherAdmin,
  newMember,
} from './organization/members.ts';
export {
  Member,
  Organization,
  type MemberRecord,
  type OrganizationRecord,
} from './organization/organization.ts';
export {
  askUsers,
  PendingMember,
  pendingMemberId,
  type PendingMemberRecord,
} from './organization/pendingMember.ts';
export {
  findSpecVersionBefore,
  insertSpecVersion,
  nextSpecRefresh,
  noteUnchangedSpec,
  noteUnusableSpec,
  OpenAPISpec,
  OpenAPISpecVersion,
  specSourceContext,
  type OpenAPISpecRecord,
  type OpenAPISpecSourceRecord,
  type OpenAPISpecVersionRecord,
  type SpecReview,
  type SourceArchive,
  type SourceValidators,
  type SpecSourceName,
  type SpecVersionContent,
} from './space/openapi.ts';
export { endSpecReview } from './space/specReview.ts';
export {
  OutboxEvent,
  settleOutboxEvents,
  writeOutboxEvents,
  type NewOutboxEvent,
  type OutboxEventRecord,
} from './job/outbox.ts';
export { ContentMoved, followContent, publishRevision, whileContentMoves } from './space/publishRevision.ts';
export { Overtaken, retryOptimistic } from './database/retryOptimistic.ts';
export {
  positionAtEnd,
  positionBetween,
  siblingModels,
  type Sibling,
  type SiblingModel,
} from './tree/positions.ts';
export { holdTree, lockTree, refreshAccess } from './tree/refreshAccess.ts';
export { removeGrantsOf } from './tree/removeGrantsOf.ts';
export { refreshSiteAccess } from './tree/refreshSiteAccess.ts';
export {
  decodeRecord,
  encodeRecord,
  findRawRecords,
  insertRawRecords,
  SnapshotTooOld,
  SnapshotUnavailable,
  withSnapshot,
  type Snapshot,
} from './database/rawRecords.ts';
export { beginRestoration } from './beginRestoration.ts';
export { endRestoration } from './database/restoration.ts';
export { UnusableDatabase } from './database/unusableDatabase.ts';
export { Review, type ReviewRecord } from './space/review.ts';
export {
  findProvidersOfDomain,
  hasActiveSamlProvider,
  SamlProvider,
  type SamlProviderRecord,
} from './organization/saml.ts';
export { removeSiteSpaces } from './site/removeSiteSpaces.ts';
export { sealedSecretOf } from './database/sealedSecret.ts';
export {
  countSealedSecrets,
  resealSecrets,
  type Resealed,
  type SealedCount,
} from './secrets/resealSecrets.ts';
export { findUnnamedSyncs } from './secrets/unnamedSyncs.ts';
export { serialized } from './database/serialized.ts';
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
} from './site/site.ts';
export {
  beginSiteHostCheck,
  claimProxy,
  endSiteHostCheck,
  hostOfProxy,
  proveSiteHost,
  SiteHost,
  siteHostProof,
  type SiteHostRecord,
} from './organization/siteHost.ts';
export { refreshSpaceVisibility, tellVisibility, visibilityOf } from './site/spaceVisibility.ts';
export { deletedSpaceRetentionDays, spaceRecords, spaceRecordsOfOrganization } from './space/spaceRecords.ts';
export { noCounts, Space, type GitSyncRecord, type SpaceRecord } from './space/space.ts';
export { holdTeam, Team, type TeamRecord } from './organization/team.ts';
export {
  GlossaryEntry,
  glossaryTerms,
  requestTranslations,
  Translation,
  type GlossaryEntryRecord,
  type TranslationRecord,
} from './space/translation.ts';
export {
  findTranslations,
  humanTextsSince,
  keepHumanTranslations,
  keepMachineTranslations,
  listTranslations,
  pairName,
  type KnownTranslation,
  type TranslationToKeep,
} from './space/translationMemory.ts';
export {
  removeTranslatedPages,
  replaceTranslatedPages,
  TranslatedPage,
  translatedPageId,
  type PageTexts,
  type TranslatedPageRecord,
} from './space/translatedPage.ts';
export { useTranslationCharacters } from './space/translationUsage.ts';
export {
  removedSegment,
  maxListedSource,
  removeTranslatedSegments,
  replaceTranslatedSegments,
  TranslatedSegment,
  translatedSegmentId,
  type SegmentState,
  type TranslatedSegmentRecord,
} from './space/translatedSegment.ts';
export {
  countFeedback,
  feedbackMonth,
  PageFeedback,
  type NewFeedback,
  type PageFeedbackRecord,
} from './site/pageFeedback.ts';
export {
  PublishingAuth,
  publishingAuthContext,
  signingKeyId,
  type PublishingAuthRecord,
} from './site/publishingAuth.ts';
export {
  activateHostname,
  beginHostnameCheck,
  claimHostname,
  CustomHostname,
  endHostnameCheck,
  endHostnames,
  findDueHostnames,
  maxHostnamesPerOrganization,
  noteCertificate,
  proveHostname,
  requestHostnameCheck,
  type CustomHostnameRecord,
} from './organization/customHostname.ts';
export {
  CertificateOrder,
  countOrders,
  noteOrder,
  type CertificateOrderRecord,
} from './organization/certificateOrder.ts';
export { ifListedHostIsFree, isHeldByOther } from './organization/heldHost.ts';
export {
  AcmeAccount,
  acmeAccountContext,
  AcmeChallenge,
  beginOrder,
  certificateContext,
  endOrder,
  findDueOrder,
  HostnameCertificate,
  postponeOrder,
  requestCertificate,
  type AcmeAccountRecord,
  type AcmeChallengeRecord,
  type HostnameCertificateRecord,
} from './organization/hostnameCertificate.ts';
export { hashShareKey, ShareLink, shareLinkContext, type ShareLinkRecord } from './site/shareLink.ts';
export {
  SiteRedirect,
  type SiteRedirectDestinationRecord,
  type SiteRedirectRecord,
} from './site/siteRedirect.ts';
export type { Migration } from './upgrade/migration.ts';
export { migrations } from './upgrade/migrations.ts';
export { awaitSchemaOrExit } from './upgrade/awaitSchemaOrExit.ts';
export {
  awaitSchema,
  readSchemaVersion,
  requireUsableDatabase,
  SchemaVersion,
  type SchemaVersionRecord,
} from './upgrade/schemaVersion.ts';
export { ensureIndexes, upgradeDatabase } from './upgrade/upgradeDatabase.ts';
export { upgradeRecords } from './upgrade/upgradeRecords.ts';
export { upgradeSchema, type UpgradeStep } from './upgrade/upgradeSchema.ts';
export { User, type UserRecord } from './organization/user.ts';
export { IndexTask, requestIndexing, type IndexTaskRecord } from './space/indexTask.ts';
export {
  indexFormat,
  IndexedPage,
  SpaceIndex,
  type IndexedPageRecord,
  type IndexedSectionRecord,
  type SpaceIndexRecord,
} from './space/contentIndex.ts';
export { requestSpecFollowUp, SpecFollowUp, type SpecFollowUpRecord } from './space/specFollowUp.ts';
export { StorageSweep, type StorageSweepRecord } from './database/storageSweep.ts';
export { DocumentLinks, type DocumentLinkRecord, type DocumentLinksRecord } from './space/documentLinks.ts';
export { SpaceMentions, type SpaceMentionsRecord } from './space/spaceMentions.ts';
export { WebhookEndpoint, webhookSealContext, type WebhookEndpointRecord } from './organization/webhook.ts';
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
} from './organization/webhookDelivery.ts';
export { WebhookLane, webhookLaneCollection, type WebhookLaneRecord } from './organization/webhookLane.ts';
