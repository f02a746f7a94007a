export * from './accounts.ts';
export { ApiToken, type ApiTokenRecord } from './apiToken.ts';
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
export { Member, Organization, type MemberRecord, type OrganizationRecord } from './organization.ts';
export { Space, type GitSyncRecord, type SpaceRecord } from './space.ts';
export { User, type UserRecord } from './user.ts';
