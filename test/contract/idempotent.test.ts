import { contentImportJobs, startWorker, type RunningWorker } from '@bindery/jobs';
import { jobCollection, Organization } from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { describe } from 'vitest';
import { routes } from '../../apps/api/src/routes.ts';
import type { TestApi } from '../support/apiServer.ts';
import { buildMember, buildUser } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { sentTwice } from '../support/sentTwice.ts';
import { buildWorld, fill, type Places, type World } from '../support/world.ts';

// Every operation that honours `Idempotency-Key`, called twice with one: the transaction that carries it out also writes that down, so that
// it is done once even when the process dies before its answer is stored.

/** A request that succeeds and changes something, as the organization's admin unless it has a token. */
type Sample = {
  json?: unknown;
  token?: string;
  /** Objects of its own, where others still need those of the world. */
  at?: Places;
};

type Scene = {
  api: TestApi;
  world: World;
  /** Starts a worker for what waits for one; it does nothing. */
  startImporting: () => Promise<void>;
};

const org = '/orgs/:organizationId';
const site = `${org}/sites/:siteId`;
const changeRequest = '/spaces/:spaceId/change-requests/:changeRequestId';
const remark = async (): Promise<Sample> => ({ json: { body: { markdown: 'Hello' } } });

/** Makes a space, for what wants one that is nowhere yet. */
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

const samples: Record<string, (scene: Scene) => Promise<Sample>> = {
  createOrganization: async () => ({ json: { title: 'Another' } }),
  inviteUsersToOrganization: async () => ({ json: { emails: [`${newId()}@example.org`], role: 'read' } }),
  createOrganizationInvite: async () => ({ json: { role: 'read' } }),
  joinOrganizationWithInvite: async () => ({ token: (await buildUser()).token }),
  joinOrganization: async ({ world }) => {
    await Organization.updateOne({ _id: world.organization._id }, { $set: { emailDomains: ['joining.example.org'] } });
    return { token: (await buildUser({ email: `${newId()}@joining.example.org` })).token };
  },
  createCollection: async () => ({ json: { title: 'Collection' } }),
  createSpace: async () => ({ json: { title: 'Space' } }),
  duplicateSpace: async () => ({}),
  createSite: async () => ({ json: { title: 'Another site', spaces: 'empty' } }),
  addSpaceToSite: async (scene) => ({ json: { spaceId: await newSpace(scene) } }),
  addSectionToSite: async (scene) => ({ json: { spaceId: await newSpace(scene), title: 'Section' } }),
  addSectionGroupToSite: async () => ({ json: { title: 'Group' } }),
  addSectionToGroup: async ({ world }) => ({ json: { sectionId: await world.make(`${site}/sections/:siteSectionId`) } }),
  createSiteShareLink: async () => ({ json: { name: 'Link' } }),
  regenerateSitePublishingAuthById: async () => ({}),
  createSiteRedirect: async () => ({ json: { source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } } }),
  bulkUpsertSiteRedirects: async () => ({
    json: { redirects: [{ source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } }] },
  }),
  createChangeRequest: async () => ({ json: { subject: 'Change' } }),
  updateChangeRequestContent: async () => ({ json: { changes: [{ operation: 'insert_page', title: 'Page', document: {} }] } }),
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
  importGitRepository: async () => ({ json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' } }),
  exportToGitRepository: async () => ({ json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main', commitMessage: 'Words' } }),
  importContent: importing,
  importContentInChangeRequest: importing,
  applyTemplateToSpace: async () => ({ json: { id: 'blank' } }),
  startImportRun: async ({ world }) => ({
    json: {
      source: { type: 'website', url: `https://imports.example.org/${newId()}` },
      target: { space: world.places['/spaces/:spaceId'] },
    },
  }),
  createOpenAPISpec: async () => ({ json: { slug: newId().toLowerCase(), source: { text: '{"openapi":"3.1.0"}' } } }),
  createOrUpdateOpenAPISpecBySlug: async () => ({ json: { source: { text: '{"openapi":"3.1.0","x":1}' } } }),
  createTranslation: async (scene) => ({ json: { language: 'de', source: { space: await newSpace(scene), language: 'en' } } }),
  runTranslation: async ({ world }) => {
    // Otherwise it would join the run that creating the translation has started, and do nothing.
    await jobCollection().updateMany({ 'subject.id': world.places[`${org}/translations/:translationId`] }, { $set: { state: 'failed' } });
    return {};
  },
  createOrganizationSAMLProvider: async () => ({ json: { label: 'Provider' } }),
  createOrganizationTeam: async () => ({ json: { title: 'Team' } }),
  createWebhook: async () => ({ json: { url: 'https://hooks.example.org/' } }),
  rotateWebhookSecret: async () => ({}),
  pingWebhook: async () => ({}),
  redeliverWebhookDelivery: async () => ({}),
};

const idempotent = routes.filter(({ spec }) => spec.idempotent);

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(api, idempotent.map(({ path }) => path).concat(`${site}/sections/:siteSectionId`)),
  )
  .extend('startImporting', { scope: 'file' }, ({ api: { config } }, { onCleanup }) => {
    let worker: RunningWorker | undefined;
    onCleanup(() => worker?.stop(0));
    const result = { revision: newId(), importedResources: 0, totalResources: 0, pages: [] };
    const options = { app: 'test', concurrency: 1, config, logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }) };
    return async () => {
      worker ??= await startWorker(contentImportJobs, { importContent: async () => ({ result }) }, options);
    };
  });

describe('a request that is sent twice is carried out once', () => {
  it.for(idempotent.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, { method, path }], { api, world, startImporting }) => {
      const sample = await samples[operationId]?.({ api, world, startImporting });
      if (!sample) throw new Error(`${operationId} honours \`Idempotency-Key\`: say in \`samples\` what it is called with.`);
      const { at, ...call } = sample;
      await sentTwice(api, method.toUpperCase(), `/v1${fill(path, { ...world.places, ...at })}`, { token: world.admin.token, ...call });
    },
  );
});
