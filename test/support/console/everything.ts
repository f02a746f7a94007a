import {
  countFeedback,
  Space,
  TranslatedSegment,
  Translation,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { TestApi } from '../apiServer.ts';
import {
  buildCollection,
  buildInvite,
  buildJob,
  buildMember,
  buildSamlProvider,
  buildSection,
  buildSectionGroup,
  buildShareLink,
  buildSite,
  buildSiteRedirect,
  buildSpec,
  buildSpecVersion,
  buildSpace,
  buildTeam,
  buildTranslation,
  buildUser,
  type TestUser,
} from '../factories.ts';
import { buildConsoleWorld, changePage, type ConsoleWorld } from './consoleWorld.ts';

/** A value for each parameter in the paths of the console: one object of each kind, of one organization. */
export async function buildEverything(
  api: TestApi,
  { organization, admin }: { organization: OrganizationRecord; admin: TestUser },
): Promise<Record<string, string>> {
  const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
  const space = (await Space.findById(world.space).lean<SpaceRecord>())!;
  const file = await buildFile(api, { world, admin });
  await buildConflict(api, { world, admin });
  const member = await buildMember(organization, 'comment');
  const [invite, team, job, collection] = await Promise.all([
    buildInvite(organization),
    buildTeam(organization),
    buildJob(space),
    buildCollection(organization),
  ]);
  const pending = await buildPending(api, { organization, admin });
  const hook = await buildWebhook(api, { organization, admin });
  return {
    ...hook,
    file,
    ...(await buildHistory(api, { world, admin })),
    ...(await buildSiteParts(api, { organization, admin, space })),
    ...(await buildTranslated(api, { admin, space })),
    ...(await buildSpecification(organization)),
    provider: (await buildSamlProvider(organization))._id,
    organization: organization._id,
    space: world.space,
    page: world.page,
    number: String(world.changeRequest),
    job: job._id,
    member: member.user._id,
    invite: invite._id,
    team: team._id,
    pending,
    collection: collection._id,
    asking: organization._id,
    token: admin.tokenId,
  };
}

/** A user who was asked to become a member. */
async function buildPending(
  api: TestApi,
  { organization, admin }: { organization: OrganizationRecord; admin: TestUser },
): Promise<string> {
  const { user } = await buildUser();
  await api.call('POST', `/v1/orgs/${organization._id}/invites`, {
    token: admin.token,
    json: { emails: [user.email] },
  });
  return user._id;
}

/** Two revisions of the space, and a comment on the change request. */
async function buildHistory(
  api: TestApi,
  { world, admin: { token } }: { world: ConsoleWorld; admin: TestUser },
): Promise<Record<string, string>> {
  const space = `/v1/spaces/${world.space}`;
  const { id, parents } = (await api.call('GET', `${space}/content`, { token })).body;
  const posted = await api.call('POST', `${space}/change-requests/${world.changeRequest}/comments`, {
    token,
    json: { body: { markdown: 'Why?' } },
  });
  return { revision: id, before: parents[0], after: id, comment: posted.body.id };
}

/** A picture of the space, which the change request has too. */
async function buildFile(
  api: TestApi,
  { world, admin: { token } }: { world: ConsoleWorld; admin: TestUser },
): Promise<string> {
  const path = `/v1/spaces/${world.space}/change-requests`;
  const { number } = (await api.call('POST', path, { token, json: { subject: 'Plan' } })).body;
  const file = { name: 'plan.svg', contentType: 'image/svg+xml', base64: btoa('<svg/>') };
  const added = await api.call('POST', `${path}/${number}/content?compat=false`, {
    token,
    json: { changes: [{ operation: 'insert_files', files: [file] }] },
  });
  await api.call('POST', `${path}/${number}/merge`, { token });
  await api.call('POST', `${path}/${world.changeRequest}/update`, { token });
  return added.body.insertedFiles[0].id as string;
}

/** A conflict of the change request with the main content. */
async function buildConflict(
  api: TestApi,
  { world: { space, page }, admin: { token } }: { world: ConsoleWorld; admin: TestUser },
): Promise<void> {
  const path = `/v1/spaces/${space}/change-requests`;
  const { number } = (await api.call('POST', path, { token, json: { subject: 'Other' } })).body;
  await changePage(api, { token, space, page, changeRequest: number, markdown: 'Read the other.' });
  await api.call('POST', `${path}/${number}/merge`, { token });
}

/** A webhook with a delivery, which never arrives. */
async function buildWebhook(
  api: TestApi,
  { organization, admin: { token } }: { organization: OrganizationRecord; admin: TestUser },
): Promise<{ webhook: string; delivery: string }> {
  const path = `/v1/orgs/${organization._id}/webhooks`;
  const made = await api.call('POST', path, { token, json: { url: 'https://hook.invalid/' } });
  const sent = await api.call('POST', `${path}/${made.body.id}/ping`, { token });
  return { webhook: made.body.id, delivery: sent.body.id };
}

/** A site with a section, a group of sections, a share link, a redirect, a claimed hostname and feedback. */
async function buildSiteParts(
  api: TestApi,
  {
    organization,
    admin: { token },
    space,
  }: { organization: OrganizationRecord; admin: TestUser; space: SpaceRecord },
): Promise<Record<string, string>> {
  const site = await buildSite(organization, { spaces: [space] });
  const section = await buildSection(site, { space: await buildSpace(organization) });
  const group = await buildSectionGroup(site, { sections: [section] });
  const [shareLink, redirect] = await Promise.all([buildShareLink(site), buildSiteRedirect(site)]);
  const hostname = `docs-${organization._id.toLowerCase()}.example.org`;
  const target = { type: 'site', site: site._id };
  await api.call('PUT', `/v1/custom-hostnames/${hostname}`, { token, json: { target } });
  const { body } = await api.call('GET', `/v1/orgs/${organization._id}/sites/${site._id}/site-spaces`, {
    token,
  });
  const rated = { site: site._id, siteSpace: site.defaultSiteSpace!, page: 'gone' };
  await countFeedback([{ ...rated, rating: 'bad' }], new Date());
  return {
    site: site._id,
    shareLink: shareLink._id,
    redirect: redirect._id,
    hostname,
    // Names of fields.
    renamed: `site-section-group:${group._id}`,
    intoGroup: group._id,
    ungrouped: `${group._id}:${section._id}`,
    removed: `site-space:${body.items[0].id}`,
  };
}

/** A translation with a result, a text whose source has changed after an edit by hand, and a term. */
async function buildTranslated(
  api: TestApi,
  { admin: { token }, space }: { admin: TestUser; space: SpaceRecord },
): Promise<Record<string, string>> {
  const { _id: translation, result } = await buildTranslation(space, { language: 'ar' });
  const { revision } = await Space.findById(result.space).orFail().lean<SpaceRecord>();
  await Translation.updateOne({ _id: translation }, { $set: { 'result.revision': revision } });
  await TranslatedSegment.create({
    _id: `${translation}:start:key`,
    ...{ translation, page: 'start', title: 'Start', position: 0, key: 'key', role: 'text' },
    ...{ state: 'conflict', source: 'Read <g id="1">this</g>.', target: '⟦Ŕéáď <g id="1">ťĥíš</g>.⟧' },
    replaced: { key: 'old', source: 'Read <g id="1">that</g>.', target: 'اقرأ <g id="1">ذلك</g>.' },
    ...{ words: 2, job: 'none', version: 1 },
  });
  const glossary = `/v1/orgs/${space.organization}/translations-glossary`;
  const operations = [{ type: 'insert', translations: { en: 'space', ar: 'مساحة' } }];
  await api.call('PUT', glossary, { token, json: { operations } });
  const { body } = await api.call('GET', glossary, { token });
  return { translation, segment: 'start:key', entry: body.items[0].id };
}

/** A specification with two versions, of which the newer has a fault and lacks an operation. */
async function buildSpecification(organization: OrganizationRecord): Promise<Record<string, string>> {
  const spec = await buildSpec(organization);
  const filesOf = (paths: object) => [
    {
      filename: 'openapi.json',
      dir: '',
      isEntrypoint: true,
      references: [],
      specification: { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths },
    },
  ];
  await buildSpecVersion(spec, { text: '{}', files: filesOf({ '/pets': { get: { responses: {} } } }) });
  const fault = { severity: 'error', rule: 'paths', message: 'must have paths', pointer: '/paths' } as const;
  const version = await buildSpecVersion(spec, {
    files: filesOf({}),
    findings: [{ ...fault, file: 'openapi.json', line: 1, column: 1 }],
  });
  // The name of a field, without which the API refuses a source before it looks at the role.
  return { spec: spec.slug, version: version._id, url: 'https://example.org/openapi.yaml' };
}
