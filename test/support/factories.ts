import { createHash } from 'node:crypto';
import {
  createSpace,
  insertRevision,
  prepareRevision,
  splitFrontmatter,
  storeDocuments,
  type FileItem,
  type NewSpace,
  type PageTree,
  type RevisionContent,
} from '@bindery/content';
import type { Role } from '@bindery/contract';
import { acceptJob, gitJobs } from '@bindery/jobs';
import {
  createApiToken,
  createOrganization,
  createUser,
  jobCollection,
  Member,
  newMember,
  refreshAccess,
  Organization,
  Space,
  withTransaction,
  type JobRecord,
  type OrganizationRecord,
  type RevisionRecord,
  type SpaceRecord,
  type UserRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { Readable } from 'node:stream';

/** Somebody with a token. */
export type TestUser = { user: UserRecord; token: string; tokenId: string };

export async function buildUser({
  displayName = 'Ada',
  isOperator = false,
  email = `${newId()}@example.org`,
}: Partial<Pick<UserRecord, 'displayName' | 'isOperator' | 'email'>> = {}): Promise<TestUser> {
  const user = await createUser({ displayName, isOperator, email });
  return { user, ...(await buildToken(user)) };
}

export async function buildToken(user: UserRecord, { expiresAt }: { expiresAt?: Date } = {}): Promise<{ token: string; tokenId: string }> {
  const { token, id } = await createApiToken({ userId: user._id, label: 'Test', ...(expiresAt && { expiresAt }) });
  return { token, tokenId: id };
}

/** An organization with its admin. */
export async function buildOrganization({ title = 'Org', ...fields }: Partial<OrganizationRecord> = {}): Promise<{
  organization: OrganizationRecord;
  admin: TestUser;
}> {
  const admin = await buildUser({ displayName: 'Admin' });
  const organization = await createOrganization({ title, userId: admin.user._id });
  if (Object.keys(fields).length === 0) return { organization, admin };
  await Organization.updateOne({ _id: organization._id }, { $set: fields });
  return { organization: { ...organization, ...fields }, admin };
}

/** @param role  null is a guest */
export async function buildMember(organization: OrganizationRecord, role: Role | null): Promise<TestUser> {
  const member = await buildUser({ displayName: role ?? 'guest' });
  await Member.create(newMember(member.user, { organization: organization._id, role }));
  return member;
}

/** A space with its first page; fields that creating one cannot give are written afterwards. */
export async function buildSpace(
  organization: OrganizationRecord,
  { title = 'Space', createdBy = 'nobody', ...fields }: Partial<SpaceRecord> & Partial<NewSpace> = {},
): Promise<SpaceRecord> {
  const space = await createSpace({
    organization: organization._id,
    createdBy,
    title,
    ...(fields.parent !== undefined && { parent: fields.parent }),
  });
  return Object.keys(fields).length > 0 ? changeSpace(space, fields) : space;
}

export async function changeSpace(space: SpaceRecord, fields: Partial<SpaceRecord>): Promise<SpaceRecord> {
  const all = { ...fields, ...(fields.deletedAt && { isDeleted: true }) };
  await Space.updateOne({ _id: space._id }, { $set: all });
  if (fields.defaultLevel !== undefined) await withTransaction((session) => refreshAccess([space._id], session));
  return (await Space.findById(space._id).lean<SpaceRecord>()) ?? { ...space, ...all };
}

type PageFields = { id: string; title: string; slug: string; path: string; createdAt: string; updatedAt: string };
type DocumentFields = Omit<Extract<PageTree, { type: 'document' }>, keyof PageFields | 'pages' | 'type'>;

/** A page to build a revision from; `source` is the whole file, frontmatter included. */
export type TestPage = Partial<PageFields> &
  (
    | ({ type?: 'document'; source?: string | Uint8Array; pages?: TestPage[] } & DocumentFields)
    | { type: 'group'; pages?: TestPage[] }
    | Pick<Extract<PageTree, { type: 'link' }>, 'type' | 'target' | 'linkTitle'>
    | Pick<Extract<PageTree, { type: 'computed' }>, 'type' | 'computed'>
  );

const time = '2026-01-02T03:04:05.678Z';

/**
 * Writes a revision with its documents.
 *
 * @param publish  false leaves the space's main content as it is
 */
export async function buildRevision(
  space: SpaceRecord,
  {
    pages = [],
    publish = true,
    files = [],
    reusableContents = [],
    variables = [],
    redirects = [],
    git,
  }: Partial<Omit<RevisionContent, 'pages'>> & { pages?: TestPage[]; publish?: boolean; git?: RevisionRecord['git'] } = {},
): Promise<RevisionRecord> {
  const sources: Parameters<typeof storeDocuments>[1] extends Iterable<infer Source> ? Source[] : never = [];
  const build = (page: TestPage): PageTree => {
    const { id = newId(), title = 'Page', createdAt = time, updatedAt = time } = page;
    const common = { id, title, createdAt, updatedAt };
    if (page.type === 'link') return { ...common, ...page, type: 'link' } as PageTree;
    if (page.type === 'computed') return { ...common, ...page, type: 'computed' } as PageTree;
    const { slug = title.toLowerCase(), path = slug } = page;
    const children = (page.pages ?? []).map(build);
    if (page.type === 'group') return { ...common, type: 'group', slug, path, pages: children };
    const { source, pages: _pages, type: _type, ...rest } = page;
    if (source === undefined) return { ...common, ...rest, type: 'document', slug, path, pages: children };
    const bytes = Buffer.from(source);
    const hash = createHash('sha256').update(bytes).digest('hex');
    sources.push({ hash, source: splitFrontmatter(bytes) });
    return { ...common, ...rest, type: 'document', slug, path, document: hash, pages: children };
  };
  const tree = pages.map(build);
  await storeDocuments(space.organization, sources);
  const { revision } = await prepareRevision({
    organization: space.organization,
    space: space._id,
    parents: [space.revision],
    type: 'edits',
    createdBy: 'nobody',
    content: { pages: tree, files, reusableContents, variables, redirects },
    ...(git && { git }),
  });
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    if (publish) await Space.updateOne({ _id: space._id }, { $set: { revision: revision._id } }, { session });
  });
  return revision;
}

/** Stores the bytes of a file, for a revision's `files`. */
export async function buildFile(
  blobs: BlobStore,
  organization: string,
  {
    name = 'file.bin',
    bytes = 'content',
    contentType = 'application/octet-stream',
    ...fields
  }: Partial<Omit<FileItem, 'blob'>> & { bytes?: string | Uint8Array } = {},
): Promise<FileItem> {
  const content = Buffer.from(bytes);
  const blob = createHash('sha256').update(content).digest('hex');
  await blobs.put(`${organization}:${blob}`, Readable.from([content]));
  return { id: newId(), name, contentType, sizeBytes: content.length, blob, ...fields };
}

/** A git import that was accepted through the job layer; `fields` are then written into its record. */
export async function buildJob(space: SpaceRecord, fields: Partial<JobRecord> = {}): Promise<JobRecord> {
  const job = await acceptJob(gitJobs.importRepository, {
    organization: space.organization,
    subject: { type: 'space', id: space._id },
    startedBy: 'nobody',
    permission: 'space.triggerGitSync',
    input: {
      spaceId: space._id,
      url: 'https://git.example.org/r.git',
      hasLogin: false,
      ref: 'refs/heads/main',
      projectDirectory: '',
      force: false,
      standalone: false,
    },
  });
  // A lane of its own: several jobs of one space may be running here.
  const changes = { lane: job._id, ...fields };
  await jobCollection().updateOne({ _id: job._id }, { $set: changes });
  return { ...job, ...changes };
}
