import type { JobState } from '@bindery/contract';
import { contentImportJobs, startWorker, type RunningWorker } from '@bindery/jobs';
import { jobCollection, OpenAPISpec, Organization, Space } from '@bindery/models';
import { newId, createLogger } from '@bindery/runtime';
import type { TestApi } from '../apiServer.ts';
import { buildMember, buildMembership, buildOrganization, buildUser } from '../factories.ts';
import { until } from '../until.ts';
import { fill, type Places, type World } from '../world.ts';

/** A request that succeeds and changes something, as the organization's admin unless it has a token. */
export type Sample = {
  json?: unknown;
  token?: string;
  /** Objects of its own, when others still need those of the world. */
  at?: Places;
};

export type Scene = {
  api: TestApi;
  world: World;
  /** The places of the request. */
  places: Places;
  /** Starts an idle worker for jobs that wait for one. */
  startImporting: () => Promise<void>;
};

const org = '/orgs/:organizationId';
const site = `${org}/sites/:siteId`;
const changeRequest = '/spaces/:spaceId/change-requests/:changeRequestId';
const remark = async (): Promise<Sample> => ({ json: { body: { markdown: 'Hello' } } });

/** Makes a space, for requests that need an unused one. */
async function newSpace({ api, world }: Scene): Promise<string> {
  const { body } = await api.call('POST', `/v1${fill(`${org}/spaces`, world.places)}`, {
    token: world.admin.token,
    json: { title: 'New' },
  });
  return body.id;
}

async function importing({ startImporting }: Scene): Promise<Sample> {
  await startImporting();
  return { json: { url: `https://imports.example.org/${newId()}`, source: 'markdown' } };
}

/** Uploads a file, for requests that take one. @returns its key */
async function uploaded({ api, world }: Scene): Promise<string> {
  const { body } = await api.call('POST', `/v1${fill(`${org}/storage/upload`, world.places)}`, {
    token: world.admin.token,
    json: { file: { name: 'docs.zip', type: 'application/zip', size: 3 }, kind: 'import_file' },
  });
  await api.call('PUT', body.url, { body: 'zip' });
  return body.key;
}

const hookSettings = { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' };

/** Sets the hook of the space, for requests about it. */
async function withGitHook({ api, world, places }: Scene): Promise<Sample> {
  const path = `/v1/spaces/${places['/spaces/:spaceId']}/git/hook`;
  await api.call('PUT', path, { token: world.admin.token, json: hookSettings });
  return { json: { ...hookSettings, onConflict: 'space' } };
}

/** A request for each operation that may change something; add new operations here. */
export const samples: Record<string, (scene: Scene) => Promise<Sample>> = {
  createOrganization: async () => ({ json: { title: 'Another' } }),
  inviteUsersToOrganization: async () => ({ json: { emails: [`${newId()}@example.org`], role: 'read' } }),
  acceptPendingMembership: async ({ world }) => {
    const place = '/user/pending-memberships/:organizationId';
    return { at: { [place]: await world.make(place) } };
  },
  removePendingMemberFromOrganization: async () => ({}),
  createOrganizationInvite: async () => ({ json: { role: 'read' } }),
  joinOrganizationWithInvite: async () => ({ token: (await buildUser()).token }),
  joinOrganization: async ({ world }) => {
    await Organization.updateOne(
      { _id: world.organization._id },
      { $set: { provenEmailDomains: ['joining.example.org'] } },
    );
    return { token: (await buildUser({ email: `${newId()}@joining.example.org` })).token };
  },
  createCollection: async () => ({ json: { title: 'Collection' } }),
  createSpace: async () => ({ json: { title: 'Space' } }),
  duplicateSpace: async () => ({}),
  createSite: async () => ({ json: { title: 'Another site', spaces: 'empty' } }),
  addSpaceToSite: async (scene) => ({ json: { spaceId: await newSpace(scene) } }),
  addSectionToSite: async (scene) => ({ json: { spaceId: await newSpace(scene), title: 'Section' } }),
  addSectionGroupToSite: async () => ({ json: { title: 'Group' } }),
  addSectionToGroup: async ({ world }) => ({
    json: { sectionId: await world.make(`${site}/sections/:siteSectionId`) },
  }),
  createSiteShareLink: async () => ({ json: { name: 'Link' } }),
  regenerateSitePublishingAuthById: async () => ({}),
  createSiteRedirect: async () => ({
    json: { source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } },
  }),
  bulkUpsertSiteRedirects: async () => ({
    json: {
      redirects: [{ source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } }],
    },
  }),
  createChangeRequest: async () => ({ json: { subject: 'Change' } }),
  updateChangeRequestContent: async () => ({
    json: { changes: [{ operation: 'insert_page', title: 'Page', document: {} }] },
  }),
  updateChangeRequest: async () => ({}),
  mergeChangeRequest: async ({ world }) => ({ at: { [changeRequest]: await world.make(changeRequest) } }),
  postCommentInSpace: remark,
  postCommentReplyInSpace: remark,
  postCommentInChangeRequest: remark,
  postCommentReplyInChangeRequest: remark,
  submitChangeRequestReview: async () => ({ json: { status: 'approved' } }),
  requestReviewersForChangeRequest: async ({ world }) => ({
    json: { users: [(await buildMember(world.organization, 'review')).user._id] },
  }),
  importGitRepository: async () => ({
    json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' },
  }),
  exportToGitRepository: async () => ({
    json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main', commitMessage: 'Words' },
  }),
  importContent: importing,
  importContentInChangeRequest: importing,
  applyTemplateToSpace: async () => ({ json: { id: 'blank' } }),
  startImportRun: async ({ world }) => ({
    json: {
      source: { type: 'website', url: `https://imports.example.org/${newId()}` },
      target: { space: world.places['/spaces/:spaceId'] },
    },
  }),
  createOpenAPISpec: async () => ({
    json: { slug: newId().toLowerCase(), source: { text: '{"openapi":"3.1.0"}' } },
  }),
  createOrUpdateOpenAPISpecBySlug: async () => ({ json: { source: { text: '{"openapi":"3.1.0","x":1}' } } }),
  replaceOpenAPISettings: async () => ({ json: { lintSeverities: { 'info-license': 'off' } } }),
  createTranslation: async (scene) => ({
    json: { language: 'de', source: { space: await newSpace(scene), language: 'en' } },
  }),
  runTranslation: async ({ places }) => {
    // Otherwise it would join the run started by creating the translation, and do nothing.
    await jobCollection().updateMany(
      { 'subject.id': places[`${org}/translations/:translationId`] },
      { $set: { state: 'failed' } },
    );
    return {};
  },
  createOrganizationSAMLProvider: async () => ({ json: { label: 'Provider' } }),
  createOrganizationTeam: async () => ({ json: { title: 'Team' } }),
  createWebhook: async () => ({ json: { url: 'https://hooks.example.org/' } }),
  rotateWebhookSecret: async () => ({}),
  pingWebhook: async () => ({}),
  redeliverWebhookDelivery: async () => ({}),

  // The following operations do not honour `Idempotency-Key`.
  updateOrganizationById: async () => ({ json: { title: newId() } }),
  updateMemberInOrganizationById: async () => ({ json: { role: 'edit' } }),
  removeMemberFromOrganizationById: async () => ({}),
  setUserAsSSOMemberForOrganization: async () => ({}),
  updateOrganizationMemberLastSeenAt: async () => ({}),
  updateOrganizationInviteById: async () => ({ json: { role: 'edit' } }),
  deleteOrganizationInviteById: async () => ({}),
  updateCollectionById: async () => ({ json: { title: newId() } }),
  deleteCollectionById: async () => ({}),
  moveCollection: async ({ world }) => ({ json: { parent: world.places['/collections/:collectionId'] } }),
  transferCollection: async ({ world }) => ({ json: { organization: await anotherOrganization(world) } }),
  deleteSpaceById: async () => ({}),
  updateSpaceById: async () => ({ json: { title: newId() } }),
  restoreSpace: async ({ api, world }) => {
    const id = await world.make('/spaces/:spaceId');
    await api.call('DELETE', `/v1/spaces/${id}`, { token: world.admin.token });
    return { at: { '/spaces/:spaceId': id } };
  },
  moveSpace: async ({ world }) => ({ json: { parent: world.places['/collections/:collectionId'] } }),
  transferSpace: async ({ world }) => ({ json: { organization: await anotherOrganization(world) } }),
  ...grants('Space'),
  ...grants('Collection'),
  ...grants('Site'),
  deleteSiteById: async () => ({}),
  updateSiteById: async () => ({ json: { title: newId() } }),
  publishSite: async () => ({}),
  unpublishSite: async ({ api, world, places }) => {
    await api.call('POST', `/v1${fill(`${site}/publish`, places)}`, { token: world.admin.token });
    return {};
  },
  sortSiteStructure: async ({ places, world }) => {
    const group = `${site}/section-groups/:siteSectionGroupId`;
    const [item, after] = [places[group], await world.make(group)].map((id) => ({
      type: 'site-section-group',
      id,
    }));
    return { json: { item, position: { after } } };
  },
  deleteSiteSpaceById: async () => ({}),
  updateSiteSpaceById: async () => ({ json: { path: newId().toLowerCase() } }),
  moveSiteSpace: async ({ world }) => ({
    json: {
      position: {
        before: { type: 'site-space', siteSpace: world.places[`${site}/site-spaces/:siteSpaceId`] },
      },
    },
  }),
  deleteSiteSectionById: async () => ({}),
  updateSiteSectionById: async () => ({ json: { title: newId() } }),
  moveSiteSection: async ({ world }) => ({
    json: {
      position: {
        before: { type: 'site-section', siteSection: world.places[`${site}/sections/:siteSectionId`] },
      },
    },
  }),
  deleteSiteSectionGroupById: async () => ({}),
  updateSiteSectionGroupById: async () => ({ json: { title: newId() } }),
  removeSectionFromGroup: async () => ({}),
  moveSiteSectionGroup: async ({ world }) => ({
    json: {
      position: {
        before: {
          type: 'site-section-group',
          id: world.places[`${site}/section-groups/:siteSectionGroupId`],
        },
      },
    },
  }),
  updateSiteAdaptiveSchema: async () => ({
    json: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
  }),
  updateSiteCustomizationById: async ({ api, world }) => {
    const { body } = await api.call('GET', `/v1${fill(`${site}/customization`, world.places)}`, {
      token: world.admin.token,
    });
    return { json: { ...body, title: newId() } };
  },
  overrideSiteSpaceCustomizationById: async () => ({ json: { title: newId() } }),
  deleteSiteSpaceCustomizationById: async ({ api, world, places }) => {
    const path = `/v1${fill(`${site}/site-spaces/:siteSpaceId`, places)}/customization`;
    await api.call('PATCH', path, { token: world.admin.token, json: { title: 'Another' } });
    return {};
  },
  updateSiteShareLinkById: async () => ({ json: { name: newId() } }),
  deleteSiteShareLinkById: async () => ({}),
  updateSitePublishingAuthById: async () => ({ json: { fallbackURL: `https://example.org/${newId()}` } }),
  putCustomHostname: async ({ world }) => ({
    json: { target: { type: 'site', site: await world.make(site) } },
  }),
  dnsRevalidateCustomHostname: async () => ({}),
  removeCustomHostname: async () => ({}),
  updateSiteRedirectById: async () => ({ json: { source: `/${newId()}` } }),
  deleteSiteRedirectById: async () => ({}),
  importFolder: async (scene) => ({ json: { files: [await uploaded(scene)], name: 'docs' } }),
  generateStorageUploadURL: async () => ({
    json: { file: { name: 'a.zip', type: 'application/zip', size: 10 }, kind: 'import_file' },
  }),
  updateChangeRequestById: async () => ({ json: { subject: newId() } }),
  ...remarks('Space'),
  ...remarks('ChangeRequest'),
  removeRequestedReviewerFromChangeRequest: async () => ({}),
  setGitHook: withGitHook,
  deleteGitHook: withGitHook,
  rotateGitHookSecret: withGitHook,
  deleteLegacyGitInstallation: async ({ places }) => {
    await Space.updateOne(
      { _id: places['/spaces/:spaceId'] },
      { $set: { 'gitSync.provider': 'github-legacy' } },
    );
    return {};
  },
  updateOpenAPISpecBySlug: async () => ({ json: { visibility: 'public' } }),
  refreshOpenAPISpecBySlug: async ({ places }) => {
    // One that waits to be processed is not fetched again.
    const name = places[`${org}/openapi/:specSlug`];
    const spec = await OpenAPISpec.findOne({ $or: [{ slug: name }, { _id: name }] });
    await jobCollection().updateOne(
      { _id: spec?.job },
      { $set: { state: 'succeeded', finishedAt: new Date() } },
    );
    return {};
  },
  deleteOpenAPISpecBySlug: async () => ({}),
  updateTranslation: async () => ({ json: { instructions: documentOf(newId()) } }),
  updateTranslationSegment: async () => ({ json: { text: newId() } }),
  deleteTranslation: async () => ({}),
  updateGlossaryEntries: async () => ({
    json: { operations: [{ type: 'insert', translations: { en: newId() } }] },
  }),
  updateOrganizationSAMLProvider: async () => ({ json: { label: newId().slice(0, 20) } }),
  deleteOrganizationSAMLProvider: async () => ({}),
  updateTeamInOrganizationById: async () => ({ json: { title: newId() } }),
  removeTeamFromOrganizationById: async () => ({}),
  updateMembersInOrganizationTeam: async ({ world }) => ({
    json: { add: [(await buildMember(world.organization, 'read')).user._id] },
  }),
  addMemberToOrganizationTeamById: async ({ world }) => ({
    json: { role: 'owner' },
    at: {
      [`${org}/teams/:teamId/members/:userId`]: (await buildMember(world.organization, 'read')).user._id,
    },
  }),
  deleteMemberFromOrganizationTeamById: async () => ({}),
  updateWebhookById: async () => ({ json: { description: newId() } }),
  deleteWebhookById: async () => ({}),
};

function grants(where: 'Space' | 'Collection' | 'Site'): typeof samples {
  return {
    [`inviteTo${where}`]: async ({ world }) => ({
      json: { role: 'read', users: [(await buildMember(world.organization, null)).user._id] },
    }),
    [`updateUserPermissionIn${where}`]: async () => ({ json: { role: 'comment' } }),
    [`removeUserFrom${where}`]: async () => ({}),
    [`updateTeamPermissionIn${where}`]: async () => ({ json: { role: 'comment' } }),
    [`removeTeamFrom${where}`]: async () => ({}),
  };
}

function remarks(where: 'Space' | 'ChangeRequest'): typeof samples {
  return {
    [`updateCommentIn${where}`]: async () => ({ json: { body: { markdown: newId() } } }),
    [`deleteCommentIn${where}`]: async () => ({}),
    [`updateCommentReplyIn${where}`]: async () => ({ json: { body: { markdown: newId() } } }),
    [`deleteCommentReplyIn${where}`]: async () => ({}),
  };
}

/** Creates another organization with the admin of the world. */
async function anotherOrganization({ admin }: World): Promise<string> {
  const { organization } = await buildOrganization();
  await buildMembership(organization, admin, 'admin');
  return organization._id;
}

function documentOf(words: string): object {
  const text = { object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] };
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [{ object: 'block', type: 'paragraph', nodes: [text] }],
  };
}

/** A worker that completes content imports without doing anything; it starts on demand. */
export function importWorker({ config }: TestApi) {
  let worker: RunningWorker | undefined;
  const result = { revision: newId(), importedResources: 0, totalResources: 0, pages: [] };
  const options = {
    app: 'test',
    concurrency: 1,
    config,
    logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
  };
  const unfinished = {
    kind: contentImportJobs.importContent.kind,
    state: { $in: ['accepted', 'queued', 'running'] as JobState[] },
  };
  return {
    start: async () => {
      worker ??= await startWorker(contentImportJobs, { importContent: async () => ({ result }) }, options);
    },
    /**
     * Waits until a started worker has completed every import, so that none of its writes is attributed to
     * the tested request.
     */
    settle: async () => {
      if (worker)
        await until(
          'end of all imports',
          async () => (await jobCollection().countDocuments(unfinished)) === 0,
          { timeoutMs: 30_000 },
        );
    },
    stop: async () => {
      await worker?.stop(0);
    },
  };
}
