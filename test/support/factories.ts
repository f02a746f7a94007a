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
  type ReusableContentItem,
  type RevisionContent,
} from '@bindery/content';
import type { OpenAPISpecFile, Role, TeamRole } from '@bindery/contract';
import { acceptJob, gitJobs } from '@bindery/jobs';
import {
  ChangeRequest,
  accessBelow,
  Collection,
  createApiToken,
  createOrganization,
  createUser,
  Grant,
  jobCollection,
  insertSpecVersion,
  Invite,
  lockTree,
  Member,
  newMember,
  refreshAccess,
  refreshSiteAccess,
  Organization,
  OpenAPISpec,
  positionAtEnd,
  SamlProvider,
  siblingModels,
  ShareLink,
  Site,
  SiteRedirect,
  SiteSection,
  SiteSpace,
  Space,
  statusCounters,
  Team,
  Translation,
  withTransaction,
  type ChangeRequestRecord,
  type CollectionRecord,
  type CommentRecord,
  type CommentReplyRecord,
  type GrantRecord,
  type InviteRecord,
  type JobRecord,
  type MemberRecord,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
  type OrganizationRecord,
  type RevisionRecord,
  type SamlProviderRecord,
  type ShareLinkRecord,
  type SiteRecord,
  type SiteRedirectRecord,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
  type TeamRecord,
  type TranslationRecord,
  type UserRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { Readable } from 'node:stream';
import { createChangeRequest } from '../../apps/api/src/resources/change-request/createChangeRequest.ts';
import { insertComment } from '../../apps/api/src/resources/comment/postComment.ts';
import { postReply } from '../../apps/api/src/resources/comment/postReply.ts';
import { activeRevision, writeInThread, type Thread } from '../../apps/api/src/resources/comment/thread.ts';
import { createSpec } from '../../apps/api/src/resources/openapi-spec/createSpec.ts';
import { newShareLink, shareKeyOf } from '../../apps/api/src/resources/share-link/shareKey.ts';
import { newRedirect } from '../../apps/api/src/resources/site-redirect/changeRedirects.ts';
import { addGroup } from '../../apps/api/src/resources/site-section-group/addGroup.ts';
import { addSection } from '../../apps/api/src/resources/site-section/addSection.ts';
import { addSiteSpace } from '../../apps/api/src/resources/site-space/addSiteSpace.ts';
import { createSite } from '../../apps/api/src/resources/site/createSite.ts';
import { publishSite } from '../../apps/api/src/resources/site/updateSite.ts';
import { storeText } from '../../apps/api/src/resources/storeText.ts';
import { createTranslation } from '../../apps/api/src/resources/translation/createTranslation.ts';

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
  const { token, record } = await createApiToken({ userId: user._id, label: 'Test', ...(expiresAt && { expiresAt }) });
  return { token, tokenId: record._id };
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

/** Makes somebody a member of one more organization. */
export async function buildMembership(organization: OrganizationRecord, { user }: TestUser, role: Role | null): Promise<void> {
  await Member.create(newMember(user, { organization: organization._id, role }));
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

/** Stores the document of a reusable content, for a revision's `reusableContents`; `source` is the whole file. */
export async function buildReusableContent(
  organization: string,
  { title = 'Notice', source = 'Take care.\n', ...fields }: Partial<Omit<ReusableContentItem, 'document'>> & { source?: string } = {},
): Promise<ReusableContentItem> {
  const bytes = Buffer.from(source);
  const document = createHash('sha256').update(bytes).digest('hex');
  await storeDocuments(organization, [{ hash: document, source: splitFrontmatter(bytes) }]);
  return { id: newId(), title, document, ...fields };
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

/** @param members  who is in it, with its role there */
export async function buildTeam(
  organization: OrganizationRecord,
  { title = 'Team', members = [] }: { title?: string; members?: readonly (readonly [TestUser, TeamRole])[] } = {},
): Promise<TeamRecord> {
  const team: TeamRecord = { _id: newId(), organization: organization._id, title, version: 1, createdAt: new Date() };
  await Team.create(team);
  for (const [{ user }, role] of members)
    await Member.updateOne({ organization: organization._id, user: user._id }, { $push: { teams: { team: team._id, role } } });
  return team;
}

export async function buildSamlProvider(
  organization: OrganizationRecord,
  fields: Partial<SamlProviderRecord> = {},
): Promise<SamlProviderRecord> {
  const provider: SamlProviderRecord = {
    _id: newId(),
    organization: organization._id,
    label: 'Sign-in',
    defaultRole: null,
    status: 'pending',
    version: 1,
    createdAt: new Date(),
    ...fields,
  };
  await SamlProvider.create(provider);
  return provider;
}

/** @param target  where it leads; without one, into the organization */
export async function buildInvite(
  organization: OrganizationRecord,
  { role = 'read', target }: Partial<Pick<InviteRecord, 'role' | 'target'>> = {},
): Promise<InviteRecord> {
  const invite: InviteRecord = {
    _id: newId(),
    organization: organization._id,
    role,
    ...(target && { target }),
    version: 1,
    createdBy: 'nobody',
    createdAt: new Date(),
  };
  await Invite.create(invite);
  return invite;
}

/** A collection behind everything that stands in its parent. */
export async function buildCollection(
  organization: OrganizationRecord,
  { title = 'Collection', parent, defaultLevel = 'inherit', ...fields }: Partial<CollectionRecord> = {},
): Promise<CollectionRecord> {
  const above = parent === undefined ? undefined : await Collection.findById(parent).lean<CollectionRecord>();
  const siblingsOf = parent ?? organization._id;
  const now = new Date();
  const collection: CollectionRecord = {
    _id: newId(),
    organization: organization._id,
    title,
    ...(parent !== undefined && { parent }),
    ancestors: above ? [...above.ancestors, above._id] : [],
    siblingsOf,
    position: await positionAtEnd(siblingModels, siblingsOf),
    defaultLevel,
    access: accessBelow(above?.access, { defaultLevel }),
    version: 1,
    createdBy: 'nobody',
    createdAt: now,
    updatedAt: now,
    ...fields,
  };
  await Collection.create(collection);
  return collection;
}

/** Gives a user or a team a role in a space, a collection or a site. */
export async function buildGrant(
  target: { space: SpaceRecord } | { collection: CollectionRecord } | { site: SiteRecord },
  principal: TestUser | TeamRecord,
  role: Role,
): Promise<GrantRecord> {
  const [targetType, record] =
    'space' in target
      ? (['space', target.space] as const)
      : 'site' in target
        ? (['site', target.site] as const)
        : (['collection', target.collection] as const);
  const grant: GrantRecord = {
    _id: newId(),
    organization: record.organization,
    targetType,
    target: record._id,
    principalType: 'user' in principal ? 'user' : 'team',
    principal: 'user' in principal ? principal.user._id : principal._id,
    role,
    createdAt: new Date(),
  };
  await withTransaction(async (session) => {
    await lockTree(record.organization, session);
    await Grant.create([grant], { session });
    await (targetType === 'site' ? refreshSiteAccess : refreshAccess)([record._id], session);
  });
  return grant;
}

/** A change request as the API makes it; other fields are written afterwards, and the counters of its space follow its status. */
export async function buildChangeRequest(
  space: SpaceRecord,
  { createdBy = 'nobody', subject = 'Change', ...fields }: Partial<ChangeRequestRecord> = {},
): Promise<ChangeRequestRecord> {
  const { changeRequest } = await createChangeRequest({ space: space._id, createdBy, subject });
  if (Object.keys(fields).length === 0) return changeRequest;
  await withTransaction(async (session) => {
    await ChangeRequest.updateOne({ _id: changeRequest._id }, { $set: fields }, { session });
    if (fields.status) await Space.updateOne({ _id: space._id }, { $inc: statusCounters('draft', fields.status) }, { session });
  });
  return { ...changeRequest, ...fields };
}

/** A comment on the main content of a space or on a change request, as the API makes it. */
export async function buildComment(
  thread: Thread,
  { postedBy = 'nobody', body = { markdown: 'Comment' }, target = { revision: activeRevision(thread) } }: Partial<CommentRecord> = {},
): Promise<CommentRecord> {
  return writeInThread(thread, (session) => insertComment(thread, { postedBy, body, target }, session));
}

export async function buildReply(
  thread: Thread,
  comment: CommentRecord,
  { postedBy = 'nobody', markdown = 'Reply' }: { postedBy?: string; markdown?: string } = {},
): Promise<CommentReplyRecord> {
  return postReply(comment, { thread, postedBy, body: { markdown } });
}

/** A site; fields that creating one cannot give are written afterwards, and `isPublished` as publishing it does. */
export async function buildSite(
  organization: OrganizationRecord,
  {
    title = 'Site',
    spaces = [],
    type,
    visibility,
    createdBy = 'nobody',
    isPublished = false,
    ...fields
  }: Partial<SiteRecord> & { spaces?: SpaceRecord[] } = {},
): Promise<SiteRecord> {
  const site = await createSite({ organization, createdBy, title, type, visibility, spaces });
  if (Object.keys(fields).length > 0) await Site.updateOne({ _id: site._id }, { $set: fields });
  if (isPublished) return publishSite(site, { isPublished });
  return { ...site, ...fields };
}

/** Puts a space onto a site; other fields are written afterwards. */
export async function buildSiteSpace(
  site: SiteRecord,
  { space, section, ...fields }: Partial<Omit<SiteSpaceRecord, 'space'>> & { space: SpaceRecord },
): Promise<SiteSpaceRecord> {
  const siteSpace = await addSiteSpace(site, { space, sectionId: section });
  if (Object.keys(fields).length > 0) await SiteSpace.updateOne({ _id: siteSpace._id }, { $set: fields });
  return { ...siteSpace, ...fields };
}

/** Adds a section with a space to a site; other fields are written afterwards. */
export async function buildSection(
  site: SiteRecord,
  { space, title, icon, ...fields }: Partial<SiteSectionRecord> & { space: SpaceRecord },
): Promise<SiteSectionRecord> {
  const section = await addSection(site, { space, title, icon });
  if (Object.keys(fields).length > 0) await SiteSection.updateOne({ _id: section._id }, { $set: fields });
  return { ...section, ...fields };
}

export async function buildSectionGroup(
  site: SiteRecord,
  { title = 'Group', sections = [] }: { title?: string; sections?: SiteSectionRecord[] } = {},
): Promise<SiteSectionGroupRecord> {
  return addGroup(site, { title, sections: sections.map(({ _id }) => _id) });
}

/** A link with a secret that opens a site; for callers that started an API, whose key it is sealed with. */
export async function buildShareLink(
  site: SiteRecord,
  { name = 'Link', ...fields }: Partial<ShareLinkRecord> = {},
): Promise<ShareLinkRecord & { key: string }> {
  const link = { ...newShareLink(site, { name, createdBy: 'nobody' }), ...fields };
  await ShareLink.create(link);
  return { ...link, key: shareKeyOf(link) };
}

/** A redirect from a path of a site, live unless told; without a destination, to a page elsewhere. */
export async function buildSiteRedirect(
  site: SiteRecord,
  {
    source = `/${newId()}`,
    destination = { kind: 'external', url: 'https://example.org/new' },
    ...fields
  }: Partial<SiteRedirectRecord> = {},
): Promise<SiteRedirectRecord> {
  const redirect = { ...newRedirect({ site }, { source, destination, captureWildcard: false, draft: false }), ...fields };
  await SiteRedirect.create(redirect);
  return redirect;
}

/** A specification whose source is a text, as the API makes it: its job waits. Other fields are written afterwards. */
export async function buildSpec(
  organization: OrganizationRecord,
  { slug = `spec-${newId().toLowerCase()}`, text = '{"openapi":"3.1.0"}', ...fields }: Partial<OpenAPISpecRecord> & { text?: string } = {},
): Promise<OpenAPISpecRecord> {
  const { spec } = await createSpec({ organization: organization._id, slug, source: { text }, startedBy: 'nobody', traceparent: '' });
  if (Object.keys(fields).length > 0) await OpenAPISpec.updateOne({ _id: spec._id }, { $set: fields });
  return { ...spec, ...fields };
}

/** A version as a worker publishes it, which ends the specification's job with success; the same document once more is no new version. */
export async function buildSpecVersion(
  spec: OpenAPISpecRecord,
  {
    text = '{"openapi":"3.1.0"}',
    format = 'json',
    files = [{ filename: 'openapi.json', dir: '', isEntrypoint: true, references: [], specification: { openapi: '3.1.0' } }],
  }: { text?: string; format?: 'json' | 'yaml'; files?: OpenAPISpecFile[] } = {},
): Promise<OpenAPISpecVersionRecord> {
  const current = await OpenAPISpec.findById(spec._id).lean<OpenAPISpecRecord>();
  const [document, filesystem] = [await storeText(spec.organization, text), await storeText(spec.organization, JSON.stringify(files))];
  const contentHash = createHash('sha256').update(document).update(filesystem).digest('hex');
  const { sourceRevision, job } = current ?? spec;
  const published = await withTransaction((session) =>
    insertSpecVersion(
      { spec: spec._id, sourceRevision, contentHash, document: { blob: document, format }, filesystem: { blob: filesystem } },
      session,
    ),
  );
  if (!published) throw new Error(`The specification ${spec.slug} is gone.`);
  await jobCollection().updateOne({ _id: job }, { $set: { state: 'succeeded', finishedAt: new Date() } });
  return published.version;
}

/** A translation of a space, as the API makes it: its first run waits. Other fields are written afterwards. */
export async function buildTranslation(
  space: SpaceRecord,
  { language = 'de', source, ...fields }: Partial<TranslationRecord> = {},
): Promise<TranslationRecord> {
  const admin = await Member.findOne({ organization: space.organization, role: 'admin' }).lean<MemberRecord>();
  if (!admin) throw new Error(`The organization ${space.organization} has no admin.`);
  const body = { language, source: { space: space._id, language: source?.language ?? 'en' } };
  const { translation } = await createTranslation(admin, { body, traceparent: '' });
  if (Object.keys(fields).length > 0) await Translation.updateOne({ _id: translation._id }, { $set: fields });
  return { ...translation, ...fields };
}
