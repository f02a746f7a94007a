import { jobCollection, Organization } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { routes } from '../../apps/api/src/routes.ts';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildMember, buildUser } from '../support/factories.ts';
import { sentTwice } from '../support/sentTwice.ts';
import { buildWorld, fill, type World } from '../support/world.ts';

// Every operation that honours `Idempotency-Key`, called twice with one: the transaction that carries it out also writes that down, so that
// it is done once even when the process dies before its answer is stored.

/** A request that succeeds and changes something, as the organization's admin unless it has a token. */
type Sample = { json?: unknown; token?: string };

const org = '/orgs/:organizationId';
const site = `${org}/sites/:siteId`;
const remark = async (): Promise<Sample> => ({ json: { body: { markdown: 'Hello' } } });

/** Makes a space, for what wants one that is nowhere yet. */
async function newSpace(): Promise<string> {
  const { body } = await api.call('POST', `/v1${fill(`${org}/spaces`, world.places)}`, {
    token: world.admin.token,
    json: { title: 'New' },
  });
  return body.id;
}

const samples: Record<string, () => Promise<Sample>> = {
  createOrganization: async () => ({ json: { title: 'Another' } }),
  inviteUsersToOrganization: async () => ({ json: { emails: [`${newId()}@example.org`], role: 'read' } }),
  createOrganizationInvite: async () => ({ json: { role: 'read' } }),
  joinOrganizationWithInvite: async () => ({ token: (await buildUser()).token }),
  joinOrganization: async () => {
    await Organization.updateOne({ _id: world.organization._id }, { $set: { emailDomains: ['joining.example.org'] } });
    return { token: (await buildUser({ email: `${newId()}@joining.example.org` })).token };
  },
  createCollection: async () => ({ json: { title: 'Collection' } }),
  createSpace: async () => ({ json: { title: 'Space' } }),
  duplicateSpace: async () => ({}),
  createSite: async () => ({ json: { title: 'Another site', spaces: 'empty' } }),
  addSpaceToSite: async () => ({ json: { spaceId: await newSpace() } }),
  addSectionToSite: async () => ({ json: { spaceId: await newSpace(), title: 'Section' } }),
  addSectionGroupToSite: async () => ({ json: { title: 'Group' } }),
  addSectionToGroup: async () => ({ json: { sectionId: await world.make(`${site}/sections/:siteSectionId`) } }),
  createSiteShareLink: async () => ({ json: { name: 'Link' } }),
  regenerateSitePublishingAuthById: async () => ({}),
  createSiteRedirect: async () => ({ json: { source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } } }),
  bulkUpsertSiteRedirects: async () => ({
    json: { redirects: [{ source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.org/' } }] },
  }),
  createChangeRequest: async () => ({ json: { subject: 'Change' } }),
  postCommentInSpace: remark,
  postCommentReplyInSpace: remark,
  postCommentInChangeRequest: remark,
  postCommentReplyInChangeRequest: remark,
  submitChangeRequestReview: async () => ({ json: { status: 'approved' } }),
  requestReviewersForChangeRequest: async () => ({ json: { users: [(await buildMember(world.organization, 'review')).user._id] } }),
  importGitRepository: async () => ({ json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' } }),
  createOpenAPISpec: async () => ({ json: { slug: newId().toLowerCase(), source: { text: '{"openapi":"3.1.0"}' } } }),
  createOrUpdateOpenAPISpecBySlug: async () => ({ json: { source: { text: '{"openapi":"3.1.0","x":1}' } } }),
  createTranslation: async () => ({ json: { language: 'de', source: { space: await newSpace(), language: 'en' } } }),
  runTranslation: async () => {
    // Otherwise it would join the run that creating the translation has started, and do nothing.
    await jobCollection().updateMany({ 'subject.id': world.places[`${org}/translations/:translationId`] }, { $set: { state: 'failed' } });
    return {};
  },
  createOrganizationSAMLProvider: async () => ({ json: { label: 'Provider' } }),
  createOrganizationTeam: async () => ({ json: { title: 'Team' } }),
};

let api: TestApi;
let world: World;
const idempotent = routes.filter(({ spec }) => spec.idempotent);

beforeAll(async () => {
  api = await startApi();
  world = await buildWorld(api, idempotent.map(({ path }) => path).concat(`${site}/sections/:siteSectionId`));
});
afterAll(() => api.close());

describe('a request that is sent twice is carried out once', () => {
  it.each(idempotent.map((route) => [route.spec.operationId, route] as const))('%s', async (operationId, { method, path }) => {
    const sample = await samples[operationId]?.();
    if (!sample) throw new Error(`${operationId} honours \`Idempotency-Key\`: say in \`samples\` what it is called with.`);
    await sentTwice(api, method.toUpperCase(), `/v1${fill(path, world.places)}`, { token: world.admin.token, ...sample });
  });
});
