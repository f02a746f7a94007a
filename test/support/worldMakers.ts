import {
  askUsers,
  countFeedback,
  insertSpecVersion,
  OpenAPISpecVersion,
  Space,
  TranslatedSegment,
  withTransaction,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { TestApi } from './apiServer.ts';
import {
  buildFile,
  buildJob,
  buildMember,
  buildOrganization,
  buildReusableContent,
  buildRevision,
  buildTeam,
  buildToken,
  buildUser,
  type TestUser,
  specDocuments,
} from './factories.ts';

/** The part of an API that makers use. */
export type WorldApi = Pick<TestApi, 'call' | 'blobs'>;

/** The input of a maker. */
type Making = {
  api: WorldApi;
  organization: OrganizationRecord;
  admin: TestUser;
  canary: string;
  /** Returns the id at a place that was made before. */
  at(place: string): string;
  /** Calls the API as the organization's admin, and fails unless that succeeds. */
  send(method: string, path: string, json?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- an answer of any operation
};

const org = '/orgs/:organizationId';
const site = `${org}/sites/:siteId`;
const space = '/spaces/:spaceId';
const changeRequest = `${space}/change-requests/:changeRequestId`;
const importRun = '/org/:organizationId/imports/:importRunId';

/** The places that a maker needs besides those in its own path. */
export const needs: Record<string, string[]> = {
  '/collections/:collectionId': [org],
  '/custom-hostnames/:hostname': [site],
  [space]: [org],
  '/jobs/:jobId': [space],
  '/openapi/:specId': [org],
  [importRun]: [space],
};

/** The makers by place, in order of execution. Add new kinds of objects here. */
export const makers: Record<string, (making: Making) => Promise<string>> = {
  '/users/:userId': async ({ admin }) => admin.user._id,
  '/user/tokens/:tokenId': async ({ admin }) => (await buildToken(admin.user)).tokenId,
  '/user/pending-memberships/:organizationId': async ({ admin }) => {
    const { organization, admin: asking } = await buildOrganization();
    await askToJoin(organization, admin, asking);
    return organization._id;
  },
  '/email-domains/:emailDomain': async () => 'example.org',
  [org]: async ({ organization }) => organization._id,
  '/org/:organizationId': async ({ organization }) => organization._id,
  [`${org}/members/:userId`]: async ({ organization }) => (await buildMember(organization, 'read')).user._id,
  [`${org}/pending-members/:userId`]: async ({ organization, admin, canary }) => {
    const asked = await buildUser({ email: `${newId()}@${canary}.example`.toLowerCase() });
    await askToJoin(organization, asked, admin);
    return asked.user._id;
  },
  [`${org}/link-invites/:inviteId`]: async ({ send }) =>
    (await send('POST', `${org}/link-invites`, { role: 'read' })).id,
  [`${org}/invites/:inviteId`]: async ({ send }) =>
    (await send('POST', `${org}/link-invites`, { role: 'read' })).id,
  [`${org}/teams/:teamId`]: async ({ send, canary }) =>
    (await send('PUT', `${org}/teams`, { title: `${canary} team`, members: [] })).id,
  [`${org}/teams/:teamId/members/:userId`]: async ({ send, organization }) => {
    const { user } = await buildMember(organization, 'read');
    await send('PUT', `${org}/teams/:teamId/members`, { add: [user._id] });
    return user._id;
  },
  [`${org}/saml/:samlProviderId`]: async ({ send, canary }) =>
    (await send('POST', `${org}/saml`, { label: canary.slice(0, 30) })).id,
  [`${org}/webhooks/:webhookId`]: async ({ send, canary }) =>
    (
      await send('POST', `${org}/webhooks`, {
        url: `https://hooks.example.org/${canary}`,
        description: `${canary} webhook`,
      })
    ).id,
  [`${org}/webhooks/:webhookId/deliveries/:deliveryId`]: async ({ send }) =>
    (await send('POST', `${org}/webhooks/:webhookId/ping`)).id,
  [site]: async ({ send, canary }) =>
    (await send('POST', `${org}/sites`, { title: `${canary} site`, spaces: 'empty' })).id,
  [`${site}/sections/:siteSectionId`]: async ({ send, canary }) =>
    (
      await send('POST', `${site}/sections`, {
        spaceId: (await send('POST', `${org}/spaces`)).id,
        title: `${canary} section`,
      })
    ).id,
  [`${site}/site-spaces/:siteSpaceId`]: async ({ send, canary, at }) => {
    const { id: spaceId } = await send('POST', `${org}/spaces`, { title: `${canary} variant` });
    const { id: siteSpace } = await send('POST', `${site}/site-spaces`, { spaceId });
    // No operation of an organization rates its pages.
    await countFeedback([{ site: at(site), siteSpace, page: 'page', rating: 'bad' }], new Date());
    return siteSpace;
  },
  [`${site}/section-groups/:siteSectionGroupId`]: async ({ send, canary }) =>
    (await send('POST', `${site}/section-groups`, { title: `${canary} group` })).id,
  [`${site}/section-groups/:siteSectionGroupId/sections/:siteSectionId`]: async ({ send, canary }) => {
    const { id: spaceId } = await send('POST', `${org}/spaces`);
    const { id: sectionId } = await send('POST', `${site}/sections`, { spaceId, title: `${canary} grouped` });
    await send('POST', `${site}/section-groups/:siteSectionGroupId/sections`, { sectionId });
    return sectionId;
  },
  [`${site}/share-links/:shareLinkId`]: async ({ send, canary }) =>
    (await send('POST', `${site}/share-links`, { name: `${canary} link` })).id,
  '/custom-hostnames/:hostname': async ({ send, at }) => {
    const hostname = `${newId().toLowerCase()}.docs.example.org`;
    await send('PUT', `/custom-hostnames/${hostname}`, { target: { type: 'site', site: at(site) } });
    return hostname;
  },
  [`${site}/redirects/:siteRedirectId`]: async ({ send, canary }) => {
    const destination = { kind: 'external', url: `https://example.org/${canary}` };
    return (await send('POST', `${site}/redirects`, { source: `/${canary}/${newId()}`, destination })).id;
  },
  '/collections/:collectionId': async ({ send, canary }) => {
    const { id } = await send('POST', `${org}/collections`, { title: `${canary} collection` });
    await send('POST', `${org}/spaces`, { title: `${canary} inside`, parent: id });
    return id;
  },
  [space]: async ({ send, api, organization, canary }) => {
    const { id } = await send('POST', `${org}/spaces`, { title: `${canary} space` });
    await Space.updateOne({ _id: id }, { $set: { gitSync: { provider: 'github', updatedAt: new Date() } } });
    const record = await theSpace(id);
    const file = await buildFile(api.blobs, organization._id, { name: `${canary}.bin` });
    const pageId = newId();
    const notice = await buildReusableContent(organization._id, {
      title: `${canary} notice`,
      source: `${canary} ${newId()}\n`,
    });
    // Linked to itself and everything it shows, so that links and backlinks exist, and visitors may read the
    // rest.
    const shown = `![${canary}](/files/${file.id})\n\n{% include "/reusable-contents/${notice.id}" %}`;
    const source = `# ${canary} ${newId()}\n\n[${canary} here](/pages/${pageId})\n\n${shown}\n`;
    const page = { id: pageId, title: `${canary} page`, path: 'page', source };
    await buildRevision(record, { pages: [page], files: [file], reusableContents: [notice] });
    const branch = { url: `https://git.example.org/${canary}.git`, ref: 'refs/heads/main' };
    await send('PUT', `/spaces/${id}/git/hook`, branch);
    return id;
  },
  [`${space}/content/files/:fileId`]: async ({ send }) =>
    (await send('GET', `${space}/content/files`)).items[0].id,
  [`${space}/content/page/:pageId`]: async ({ send }) =>
    (await send('GET', `${space}/content/pages`)).pages[0].id,
  [`${space}/content/path/*pagePath`]: async () => 'page',
  [`${space}/content/reusable-contents/:reusableContentId`]: reusableContentOf,
  [`${space}/documents/:documentId`]: async ({ send }) =>
    (await send('GET', `${space}/content/pages`)).pages[0].documentId,
  [`${space}/revisions/:revisionId`]: async ({ send }) => (await send('GET', space)).revision,
  [`${space}/revisions/:revisionId/files/:fileId`]: async ({ send }) =>
    (await send('GET', `${space}/content/files`)).items[0].id,
  [`${space}/revisions/:revisionId/page/:pageId`]: async ({ send }) =>
    (await send('GET', `${space}/content/pages`)).pages[0].id,
  [`${space}/revisions/:revisionId/path/*pagePath`]: async () => 'page',
  [`${space}/revisions/:revisionId/reusable-contents/:reusableContentId`]: reusableContentOf,
  // Waits for ever, because no worker runs it.
  [importRun]: async ({ send, at, canary }) => {
    const source = { type: 'website', url: `https://imports.example.org/${canary}/${newId()}` };
    return (await send('POST', '/org/:organizationId/imports', { source, target: { space: at(space) } })).id;
  },
  // Ended, so that its event stream ends too.
  '/jobs/:jobId': async ({ at }) => (await buildJob(await theSpace(at(space)), { state: 'failed' }))._id,
  ...commentsOn(space),
  // Open, because lists show open ones.
  [changeRequest]: async ({ send, canary, at }) => {
    const { id } = await send('POST', `${space}/change-requests`, { subject: `${canary} change` });
    await send('PATCH', `/spaces/${at(space)}/change-requests/${id}`, { status: 'open' });
    return id;
  },
  [`${changeRequest}/content/files/:fileId`]: async ({ send }) =>
    (await send('GET', `${space}/content/files`)).items[0].id,
  [`${changeRequest}/content/page/:pageId`]: async ({ send }) =>
    (await send('GET', `${space}/content/pages`)).pages[0].id,
  [`${changeRequest}/content/path/*pagePath`]: async () => 'page',
  [`${changeRequest}/content/reusable-contents/:reusableContentId`]: reusableContentOf,
  ...commentsOn(changeRequest),
  [`${changeRequest}/reviews/:reviewId`]: async ({ send, canary }) =>
    (
      await send('POST', `${changeRequest}/reviews`, {
        status: 'approved',
        comment: { markdown: `${canary} review` },
      })
    ).id,
  [`${changeRequest}/requested-reviewers/:userId`]: async ({ send, organization }) => {
    const { user } = await buildMember(organization, 'review');
    await send('POST', `${changeRequest}/requested-reviewers`, { users: [user._id] });
    return user._id;
  },
  [`${org}/translations/:translationId`]: async (making) => {
    const source = { space: await anotherSpace(making), language: 'en' };
    return (await making.send('POST', `${org}/translations`, { language: 'fr', source })).id;
  },
  [`${org}/translations/:translationId/segments/:segmentId`]: async ({ at, canary }) => {
    const translation = at(`${org}/translations/:translationId`);
    const [page, key] = [newId(), newId()];
    await TranslatedSegment.create({
      ...{ _id: `${translation}:${page}:${key}`, translation, page, key, title: 'Page', position: 0 },
      ...{ role: 'text', state: 'machine', source: `${canary} text`, target: `${canary} texte` },
      ...{ words: 2, job: 'none', version: 1 },
    });
    return `${page}:${key}`;
  },
  [`${org}/translations-glossary/:glossaryEntryId`]: async ({ send, canary }) => {
    const word = `${canary} ${newId()}`;
    await send('PUT', `${org}/translations-glossary`, {
      operations: [{ type: 'insert', translations: { en: word } }],
    });
    const { items } = await send('GET', `${org}/translations-glossary`);
    return items.find(({ translations }: { translations: { en: string } }) => translations.en === word).id;
  },
  [`${org}/openapi/:specSlug`]: async (making) => {
    const { id, slug } = await makeSpec(making);
    await makeSpecVersion(making, id);
    return slug;
  },
  [`${org}/openapi/:specSlug/versions/:versionId`]: async ({ send }) =>
    (await send('GET', `${org}/openapi/:specSlug/versions/latest`)).id,
  [`${org}/openapi/:specSlug/versions/:versionId/diff/:otherVersionId`]: async ({ send }) =>
    (await send('GET', `${org}/openapi/:specSlug/versions/latest`)).id,
  '/openapi/:specId': async (making) => {
    const { id } = await makeSpec(making);
    await makeSpecVersion(making, id);
    await making.send('PATCH', `${org}/openapi/${id}`, { visibility: 'public' });
    return id;
  },
  ...grantsOn(space),
  ...grantsOn('/collections/:collectionId'),
  ...grantsOn(site),
};

async function askToJoin(
  { _id: organization }: OrganizationRecord,
  { user }: TestUser,
  { user: { _id: askedBy } }: TestUser,
): Promise<void> {
  const asked = {
    organization,
    user: user._id,
    email: user.email ?? '',
    joins: true,
    role: 'read' as const,
    sso: false,
    askedBy,
  };
  await withTransaction((session) => askUsers([asked], session));
}

function grantsOn(content: string): typeof makers {
  return {
    [`${content}/permissions/users/:userId`]: async ({ send, organization }) => {
      const { user } = await buildMember(organization, null);
      await send('POST', `${content}/permissions`, { role: 'read', users: [user._id] });
      return user._id;
    },
    [`${content}/permissions/teams/:teamId`]: async ({ send, organization, canary }) => {
      const { _id: id } = await buildTeam(organization, { title: `${canary} granted` });
      await send('POST', `${content}/permissions`, { role: 'read', teams: [id] });
      return id;
    },
  };
}

function commentsOn(thread: string): typeof makers {
  const comment = `${thread}/comments/:commentId`;
  return {
    [comment]: async ({ send, canary }) =>
      (await send('POST', `${thread}/comments`, { body: { markdown: `${canary} comment` } })).id,
    [`${comment}/replies/:commentReplyId`]: async ({ send, canary }) =>
      (await send('POST', `${comment}/replies`, { body: { markdown: `${canary} reply` } })).id,
  };
}

async function reusableContentOf({ send }: Making): Promise<string> {
  return (await send('GET', `${space}/content`)).reusableContents[0].id;
}

async function theSpace(id: string): Promise<SpaceRecord> {
  const record = await Space.findById(id).lean<SpaceRecord>();
  if (!record) throw new Error(`The space ${id} is gone.`);
  return record;
}

async function anotherSpace({ send, canary }: Making): Promise<string> {
  return (await send('POST', `${org}/spaces`, { title: `${canary} shown` })).id;
}

async function makeSpec({ send, canary }: Making): Promise<{ id: string; slug: string }> {
  const slug = `${canary}-${newId()}`.toLowerCase();
  return send('POST', `${org}/openapi`, { slug, source: { text: '{"openapi":"3.1.0"}' } });
}

/** Like its worker. */
async function makeSpecVersion({ api, organization, canary }: Making, spec: string): Promise<void> {
  const specification = { openapi: '3.1.0', info: { title: canary, version: '1' }, paths: {} };
  const files = [{ filename: 'spec.json', dir: '/', isEntrypoint: true, references: [], specification }];
  const [document, filesystem, findings] = await Promise.all(
    [specification, files, []].map(async (content) => {
      const { blob } = await buildFile(api.blobs, organization._id, { bytes: JSON.stringify(content) });
      return blob;
    }),
  );
  if (!document || !filesystem || !findings) throw new Error('A specification has a document and files.');
  const content = {
    spec,
    sourceRevision: 1,
    contentHash: document,
    ...specDocuments({ document, filesystem, findings }),
    otherFiles: { blob: filesystem, count: 1 },
  };
  const made = await withTransaction((session) => insertSpecVersion(content, session));
  const review = { lint: { blob: findings, count: 0 }, compatibility: { isAccepted: true } };
  await OpenAPISpecVersion.updateOne({ _id: made?.version._id }, { $set: { review } });
}
