import { describe, expect } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';
import { idFieldsOf } from '../support/http/idFields.ts';
import { it as base } from '../support/it.ts';
import { oplogPosition, writesSince } from '../support/stores/oplog.ts';
import { buildWorld, fill, type Places } from '../support/world.ts';

// Ids in bodies: the admin of one organization names objects of another, or of its own that belong to another
// parent. These do not exist for it: 400 at that field, and nothing changes. The table is written
// by hand; the schemas of the routes tell whether a field is missing in it.

type Case = {
  /** The body with ids of `theirs` in the field that is tried, and of `ours` where the body needs more. */
  body: (theirs: Places, ours: Places) => unknown;
  /** An id of the same organization is wrong too, when it belongs to another parent. */
  hasParent?: true;
  /** 400 unless the contract says something else. */
  status?: number;
};

const org = '/orgs/:organizationId';
const collection = '/collections/:collectionId';
const space = '/spaces/:spaceId';
const page = '/spaces/:spaceId/content/page/:pageId';
const changeRequest = '/spaces/:spaceId/change-requests/:changeRequestId';
const website = { type: 'website', url: 'https://imports.example.org/' };
const revision = '/spaces/:spaceId/revisions/:revisionId';
const site = '/orgs/:organizationId/sites/:siteId';
const siteSpace = `${site}/site-spaces/:siteSpaceId`;
const section = `${site}/sections/:siteSectionId`;
const group = `${site}/section-groups/:siteSectionGroupId`;
const team = `${org}/teams/:teamId`;
const member = `${org}/members/:userId`;

const movesAmongContent: Record<string, Case> = {
  parent: { body: (theirs) => ({ parent: theirs[collection] }) },
  ...Object.fromEntries(
    ['before', 'after'].flatMap((side): [string, Case][] => [
      [
        `position.${side}.space`,
        { body: (theirs) => ({ position: { [side]: { type: 'space', space: theirs[space] } } }) },
      ],
      [
        `position.${side}.collection`,
        {
          body: (theirs) => ({
            position: { [side]: { type: 'collection', collection: theirs[collection] } },
          }),
        },
      ],
    ]),
  ),
};
const movesAmong = (field: string, pointer: (theirs: Places) => object): Record<string, Case> =>
  Object.fromEntries(
    ['before', 'after'].map((side) => [
      `position.${side}.${field}`,
      { body: (theirs) => ({ position: { [side]: pointer(theirs) } }), hasParent: true },
    ]),
  );
const grants: Record<string, Case> = {
  'users[]': { body: (theirs) => ({ role: 'read', users: [theirs[member]] }) },
  'teams[]': { body: (theirs) => ({ role: 'read', teams: [theirs[team]] }) },
};
const comments: Record<string, Case> = {
  page: { body: (theirs) => ({ body: { markdown: 'x' }, page: theirs[page] }), hasParent: true },
};
const redirects = (bodyWith: (destination: object) => object): Record<string, Case> => ({
  'destination.siteSpaceId': {
    body: (theirs) => bodyWith({ kind: 'site-space', siteSpaceId: theirs[siteSpace] }),
    hasParent: true,
  },
  'destination.siteSectionId': {
    body: (theirs) => bodyWith({ kind: 'site-section', siteSectionId: theirs[section] }),
    hasParent: true,
  },
  'destination.pageId': {
    body: (theirs, ours) =>
      bodyWith({ kind: 'site-page', siteSpaceId: ours[siteSpace], pageId: theirs[page] }),
    hasParent: true,
  },
  'destination.spaceId': {
    body: (theirs) => bodyWith({ kind: 'path', spaceId: theirs[space], path: 'page' }),
    hasParent: true,
  },
});
const toOtherOrganization: Record<string, Case> = {
  // The caller has no rights there: for it there is no such organization.
  organization: { body: (theirs) => ({ organization: theirs[org] }), status: 404 },
};

const bodies: Record<string, Record<string, Case>> = {
  updateOrganizationById: {
    'defaultContent.site': { body: (theirs) => ({ defaultContent: { type: 'site', site: theirs[site] } }) },
  },
  createApiToken: {
    'organizations[]': { body: (theirs) => ({ label: 'x', organizations: [theirs[org]] }) },
    'spaces[]': { body: (theirs) => ({ label: 'x', spaces: [theirs[space]] }) },
  },
  createOrganizationInvite: {
    space: { body: (theirs) => ({ level: 'read', space: theirs[space] }) },
    collection: { body: (theirs) => ({ level: 'read', collection: theirs[collection] }) },
  },
  createCollection: { parent: { body: (theirs) => ({ title: 'x', parent: theirs[collection] }) } },
  moveCollection: movesAmongContent,
  transferCollection: toOtherOrganization,
  moveSpace: movesAmongContent,
  transferSpace: toOtherOrganization,
  createSpace: { parent: { body: (theirs) => ({ title: 'x', parent: theirs[collection] }) } },
  inviteToSpace: grants,
  inviteToCollection: grants,
  inviteToSite: grants,
  createWebhook: {
    'spaces[]': { body: (theirs) => ({ url: 'https://hooks.example.org/', spaces: [theirs[space]] }) },
  },
  updateWebhookById: { 'spaces[]': { body: (theirs) => ({ spaces: [theirs[space]] }) } },
  createSite: { 'spaces[]': { body: (theirs) => ({ title: 'Docs', spaces: [theirs[space]] }) } },
  updateSiteById: {
    defaultSiteSpace: { body: (theirs) => ({ defaultSiteSpace: theirs[siteSpace] }), hasParent: true },
    defaultSiteSection: { body: (theirs) => ({ defaultSiteSection: theirs[section] }), hasParent: true },
  },
  putCustomHostname: {
    'target.site': { body: (theirs) => ({ target: { type: 'site', site: theirs[site] } }) },
  },
  sortSiteStructure: {
    'item.id': {
      body: (theirs, ours) => ({
        item: { type: 'site-section', id: theirs[section] },
        position: { before: { type: 'site-section', id: ours[section] } },
      }),
      hasParent: true,
    },
    ...Object.fromEntries(
      ['before', 'after'].map((side): [string, Case] => [
        `position.${side}.id`,
        {
          body: (theirs, ours) => ({
            item: { type: 'site-section', id: ours[section] },
            position: { [side]: { type: 'site-section', id: theirs[section] } },
          }),
          hasParent: true,
        },
      ]),
    ),
  },
  addSpaceToSite: {
    spaceId: { body: (theirs) => ({ spaceId: theirs[space] }) },
    sectionId: {
      body: (theirs, ours) => ({ spaceId: ours[space], sectionId: theirs[section] }),
      hasParent: true,
    },
  },
  updateSiteSpaceById: { spaceId: { body: (theirs) => ({ spaceId: theirs[space] }) } },
  moveSiteSpace: movesAmong('siteSpace', (theirs) => ({ type: 'site-space', siteSpace: theirs[siteSpace] })),
  addSectionToSite: { spaceId: { body: (theirs) => ({ spaceId: theirs[space] }) } },
  updateSiteSectionById: {
    defaultSiteSpace: { body: (theirs) => ({ defaultSiteSpace: theirs[siteSpace] }), hasParent: true },
  },
  moveSiteSection: movesAmong('siteSection', (theirs) => ({
    type: 'site-section',
    siteSection: theirs[section],
  })),
  addSectionGroupToSite: {
    'sections[]': { body: (theirs) => ({ title: 'x', sections: [theirs[section]] }), hasParent: true },
  },
  addSectionToGroup: { sectionId: { body: (theirs) => ({ sectionId: theirs[section] }), hasParent: true } },
  moveSiteSectionGroup: movesAmong('id', (theirs) => ({ type: 'site-section-group', id: theirs[group] })),
  updateChangeRequestContent: {
    'changes[].page': {
      body: (theirs) => ({ changes: [{ operation: 'delete_page', page: theirs[page] }] }),
      hasParent: true,
    },
    'changes[].into': {
      body: (theirs) => ({ changes: [{ operation: 'insert_page', into: theirs[page], document: {} }] }),
      hasParent: true,
    },
    'changes[].revision': {
      body: (theirs, ours) => ({
        changes: [{ operation: 'revert_page', page: ours[page], revision: theirs[revision] }],
      }),
      hasParent: true,
    },
  },
  postCommentInSpace: comments,
  postCommentInChangeRequest: comments,
  requestReviewersForChangeRequest: { 'users[]': { body: (theirs) => ({ users: [theirs[member]] }) } },
  createSiteRedirect: redirects((destination) => ({ source: '/old', destination })),
  updateSiteRedirectById: redirects((destination) => ({ destination })),
  bulkUpsertSiteRedirects: Object.fromEntries(
    Object.entries(redirects((destination) => ({ redirects: [{ source: '/old', destination }] }))).map(
      ([field, tried]) => [
        `redirects[].${field}`,
        // Each redirect has a result of its own.
        { ...tried, status: 200 },
      ],
    ),
  ),
  applyTemplateToSpace: {
    changeRequestId: {
      body: (theirs) => ({ id: 'blank', changeRequestId: theirs[changeRequest] }),
      hasParent: true,
    },
  },
  importFolder: {
    changeRequest: {
      body: (theirs) => ({ files: ['nothing'], name: 'docs', changeRequest: theirs[changeRequest] }),
      hasParent: true,
    },
  },
  startImportRun: {
    'target.space': { body: (theirs) => ({ source: website, target: { space: theirs[space] } }) },
    'target.changeRequest': {
      body: (theirs, ours) => ({
        source: website,
        target: { space: ours[space], changeRequest: theirs[changeRequest] },
      }),
      hasParent: true,
    },
    'target.page': {
      body: (theirs, ours) => ({ source: website, target: { space: ours[space], page: theirs[page] } }),
      hasParent: true,
    },
    site: {
      body: (theirs, ours) => ({ source: website, target: { space: ours[space] }, site: theirs[site] }),
    },
  },
  searchSiteContent: {
    'scope.currentSiteSpace': {
      body: (theirs) => ({ query: 'x', scope: { mode: 'default', currentSiteSpace: theirs[siteSpace] } }),
      hasParent: true,
    },
    'scope.includedSiteSpaces[]': {
      body: (theirs) => ({ query: 'x', scope: { mode: 'default', includedSiteSpaces: [theirs[siteSpace]] } }),
      hasParent: true,
    },
    'scope.siteSpaceIds[]': {
      body: (theirs) => ({ query: 'x', scope: { mode: 'specific', siteSpaceIds: [theirs[siteSpace]] } }),
      hasParent: true,
    },
    siteSpaceId: {
      body: (theirs) => ({ query: 'x', mode: 'current', siteSpaceId: theirs[siteSpace] }),
      hasParent: true,
    },
    'siteSpaceIds[]': {
      body: (theirs) => ({ query: 'x', siteSpaceIds: [theirs[siteSpace]] }),
      hasParent: true,
    },
  },
  createTranslation: {
    'source.space': {
      body: (theirs) => ({ language: 'de', source: { space: theirs[space], language: 'en' } }),
    },
  },
  updateGlossaryEntries: {
    'operations[].id': {
      body: (theirs) => ({
        operations: [
          {
            type: 'update',
            id: theirs[`${org}/translations-glossary/:glossaryEntryId`],
            translations: { en: 'x' },
          },
        ],
      }),
    },
  },
  createOrganizationSAMLProvider: {
    defaultTeam: { body: (theirs) => ({ label: 'x', defaultTeam: theirs[team] }) },
  },
  updateOrganizationSAMLProvider: { defaultTeam: { body: (theirs) => ({ defaultTeam: theirs[team] }) } },
  createOrganizationTeam: { 'members[]': { body: (theirs) => ({ title: 'x', members: [theirs[member]] }) } },
  updateMembersInOrganizationTeam: {
    'add[]': { body: (theirs) => ({ add: [theirs[member]] }) },
    'remove[]': { body: (theirs) => ({ remove: [theirs[member]] }) },
    'memberships{}': { body: (theirs) => ({ memberships: { [theirs[member] ?? '']: { role: 'owner' } } }) },
  },
};

/** Fields of that form that name no object of this platform. */
const namesNothing: Record<string, string> = {
  'createChangeRequest agentTaskId': 'kept as it came',
  'updateChangeRequest revisions.base': 'compared with the present revision, and never looked up',
  'updateChangeRequest revisions.main': 'as above',
  'updateChangeRequest revisions.changeRequest': 'as above',
  'mergeChangeRequest revisions.base': 'as above',
  'mergeChangeRequest revisions.main': 'as above',
  'mergeChangeRequest revisions.changeRequest': 'as above',
  'trackEventsInSiteById events[].location.siteSpace': 'events are counted, not stored',
  'trackEventsInSiteById events[].location.page': 'as above',
};

type Refusal = { field: string; status: number; json: unknown };

const it = base
  .extend('worlds', { scope: 'file' }, async ({ api }) => {
    const paths = routes.map(({ path }) => path);
    const own = await buildWorld(api, paths);
    const other = await buildWorld(api, paths);
    const twin = await own.makeTwin();
    return { own, other, twin };
  })
  .extend(
    'expectRefusal',
    ({ api, worlds }) =>
      async ({ method, path }: Route, { field, status, json }: Refusal): Promise<void> => {
        const { own, other } = worlds;
        const before = await oplogPosition();
        const answer = await api.call(method.toUpperCase(), `/v1${fill(path, own.places)}`, {
          token: own.admin.token,
          json,
        });
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.any(String)]);
        expect(answer.text).not.toContain(other.canary);
        const [first = ''] = field.split(/[.[{]/);
        if (status === 400) expect(answer.body.error.details[0].path).toMatch(new RegExp(`^body\\.${first}`));
        if (status === 200) expect(answer.text).toContain('"status":"error"');
        expect(await writesSince(before)).toEqual([]);
      },
  );

it('every id field of a body has a case', () => {
  const missing = routes.flatMap(({ spec }) =>
    spec.body
      ? idFieldsOf(spec.body)
          .filter(
            (field) => !bodies[spec.operationId]?.[field] && !namesNothing[`${spec.operationId} ${field}`],
          )
          .map((field) => `${spec.operationId} ${field}`)
      : [],
  );
  expect(missing).toEqual([]);
});

const cases = routes.flatMap((route) =>
  Object.entries(bodies[route.spec.operationId] ?? {}).map(([field, tried]) => ({
    operationId: route.spec.operationId,
    field,
    route,
    ...tried,
  })),
);

describe('an id of another organization in a body is refused', () => {
  it.for(cases)(
    '$operationId $field',
    async ({ route, field, body, status = 400 }, { worlds: { own, other }, expectRefusal }) => {
      await expectRefusal(route, { field, status, json: body(other.places, own.places) });
    },
  );
});

describe('an id that belongs to another parent is refused', () => {
  it.for(cases.filter(({ hasParent }) => hasParent))(
    '$operationId $field',
    async ({ route, field, body, status = 400 }, { worlds: { own, twin }, expectRefusal }) => {
      await expectRefusal(route, { field, status, json: body(twin, own.places) });
    },
  );
});
