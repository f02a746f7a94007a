export { accessBelow, accessSchema, audienceOf, everyMember, rankOf, type AccessRecord } from './access.ts';
export * from './accounts.ts';
export { ApiToken, type ApiTokenRecord } from './apiToken.ts';
export { Collection, type CollectionRecord } from './collection.ts';
export {
  connectMongo,
  disconnectMongo,
  isDuplicateKey,
  mongoDatabase,
  pingMongo,
  withTransaction,
  type ClientSession,
} from './connection.ts';
export {
  ContentNode,
  PageDocument,
  Revision,
  type ContentNodeRecord,
  type PageDocumentRecord,
  type RevisionGitRecord,
  type RevisionRecord,
} from './content.ts';
export { ensureIndexes } from './ensureIndexes.ts';
export { GitCredential, GitRepository, type GitCredentialRecord, type GitRepositoryRecord } from './git.ts';
export {
  jobCollection,
  Lease,
  WorkerEntry,
  type JobAttempt,
  type JobErrorRecord,
  type JobLogLine,
  type JobRecord,
  type JobWaiting,
  type LeaseRecord,
  type WorkerRecord,
} from './job.ts';
export { Grant, type GrantRecord } from './grant.ts';
export { Member, Organization, type MemberRecord, type OrganizationRecord } from './organization.ts';
export { positionAtEnd, positionBetween, siblingModels, type Sibling, type SiblingModel } from './positions.ts';
export { lockTree, refreshAccess } from './refreshAccess.ts';
export { serialized } from './serialized.ts';
export { Space, type GitSyncRecord, type SpaceRecord } from './space.ts';
export { Team, type TeamRecord } from './team.ts';
export { upgradeRecords } from './upgradeRecords.ts';
export { User, type UserRecord } from './user.ts';
