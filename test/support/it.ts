import type { OrganizationRecord } from '@bindery/models';
import { test } from 'vitest';
import { endSharedApi, sharedApi, startApi } from './apiServer.ts';
import { buildMember, buildOrganization, buildSpace, type TestUser } from './factories.ts';

type Home = { organization: OrganizationRecord; admin: TestUser };

const withApi = test
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('endsSharedApi', { scope: 'worker' }, ({}, { onCleanup }) => {
    onCleanup(endSharedApi);
    return true;
  })
  .extend('environment', { scope: 'file' }, {} as Record<string, string>)
  .extend('api', { scope: 'file' }, async ({ endsSharedApi: _ends, environment }, { onCleanup }) => {
    if (Object.keys(environment).length === 0) return sharedApi();
    const api = await startApi({ environment });
    onCleanup(api.close);
    return api;
  });

/**
 * The `it` of tests that call the API. Fixtures:
 *
 * - `api`: the API shared by all files of this test process (`sharedApi`), or one of this file if it extends
 *   `environment`
 * - `environment`: overrides of configuration variables for this file, by default none
 * - `organization`, `admin`: an organization of this file, and its admin
 * - `creator`, `reviewer`, `editor`, `commenter`, `reader`, `guest`: members of that organization with that
 *   role; a guest has none
 * - `outsider`: the admin of another organization
 * - `space`: a new space of the organization for each test
 *
 * A file adds its own with `it.extend`.
 */
export const it = withApi
  .extend('home', { scope: 'file' }, ({ api: _started }): Promise<Home> => buildOrganization())
  .extend('organization', { scope: 'file' }, ({ home }) => home.organization)
  .extend('admin', { scope: 'file' }, ({ home }) => home.admin)
  .extend('creator', { scope: 'file' }, ({ organization }) => buildMember(organization, 'create'))
  .extend('reviewer', { scope: 'file' }, ({ organization }) => buildMember(organization, 'review'))
  .extend('editor', { scope: 'file' }, ({ organization }) => buildMember(organization, 'edit'))
  .extend('commenter', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('reader', { scope: 'file' }, ({ organization }) => buildMember(organization, 'read'))
  .extend('guest', { scope: 'file' }, ({ organization }) => buildMember(organization, null))
  .extend('outsider', { scope: 'file' }, async ({ api: _started }) => (await buildOrganization()).admin)
  .extend('space', ({ organization }) => buildSpace(organization));

/**
 * The `it` of tests of everything in an organization: each test has a new `organization` with its `admin`.
 */
export const itInNewOrganization = withApi
  .extend('home', ({ api: _started }): Promise<Home> => buildOrganization())
  .extend('organization', ({ home }) => home.organization)
  .extend('admin', ({ home }) => home.admin);
