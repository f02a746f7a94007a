import type { SamlProvider, Team } from '@bindery/contract';
import { facts, html, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { linesIn, textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, linesField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { roleField, roleIn, roleValue } from '../../layout/roleField.ts';
import {
  adminPage,
  belowTitle,
  forAdmins,
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from '../organization/frame.ts';

const place = `${organizationPlace}/single-sign-on/:provider`;
const providerApi = ({ organization = '', provider = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/saml/${provider}`;

const create: ApiForm = {
  path: `${organizationPlace}/single-sign-on`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/saml`,
    json: { label: textIn(fields, 'label') ?? '' },
  }),
  example: { label: 'Okta' },
};

const update: ApiForm = {
  path: `${place}/settings`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: providerApi(params),
    json: {
      label: textIn(fields, 'label') ?? '',
      entityID: textIn(fields, 'entityID') ?? '',
      ssoURL: textIn(fields, 'ssoURL') ?? null,
      certificate: linesIn(fields, 'certificate') ?? '',
      defaultRole: roleIn(fields, 'defaultRole'),
      defaultTeam: textIn(fields, 'defaultTeam') ?? null,
    },
  }),
  example: {
    label: 'Okta',
    entityID: 'https://id.example.org',
    ssoURL: 'https://id.example.org/sso',
    certificate: 'CERTIFICATE',
    defaultRole: 'read',
  },
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: (params) => ({ method: 'DELETE', path: providerApi(params) }),
  confirm: 'Delete the provider; sessions that it began end',
};

const toProvider = (organization: string | undefined, id: string | undefined) => ({
  location: `/organizations/${organization}/single-sign-on/${id}`,
});

export const ssoRoutes: readonly Route[] = [
  page(create.path, providersPage),
  formRoute<SamlProvider>(create, {
    next: ({ params }, { body }) => toProvider(params['organization'], body.id),
    again: providersPage,
  }),
  page(place, providerPage),
  formRoute(update, {
    next: ({ params }) => toProvider(params['organization'], params['provider']),
    again: providerPage,
  }),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/single-sign-on` }),
    again: providerPage,
  }),
];

async function providersPage(visit: Visit, tried?: Tried): Promise<Page> {
  return adminPage(visit, {
    title: 'Single sign-on',
    task: 'set up single sign-on',
    main: async (organization) =>
      providers(visit, { path: `${organizationPath(organization)}/single-sign-on`, tried }),
  });
}

async function providers(
  visit: Visit,
  { path, tried }: { path: string; tried: Tried | undefined },
): Promise<Html> {
  const { api, params, query } = visit;
  const list = await api.get<ListPage<SamlProvider>>(
    withQuery(`${organizationApi(params)}/saml`, { limit: 50, page: placeIn(query) }),
  );
  return html`${table<SamlProvider>(
    { id: 'providers', caption: 'SAML identity providers, newest first', none: 'There are none.' },
    [
      { name: 'Provider', cell: ({ id, label }) => providerLink(`${path}/${id}`, label) },
      {
        name: 'State',
        cell: ({ status }) => (status === 'active' ? 'active' : 'needs settings before it signs in users'),
      },
    ],
    list.items,
  )}
${furtherLink(list, { path, query, text: 'Further providers' })}
<h2>Create a provider</h2>
${formOf(create, {
  visit,
  tried,
  button: 'Create the provider',
  fields: textField(
    { name: 'label', label: 'Name', hint: 'The sign-in page shows it.', isRequired: true },
    { value: typed(tried, create, 'label') },
  ),
})}`;
}

function providerLink(target: string, label: string): Html {
  return html`<a href="${target}">${label}</a>`;
}

async function providerPage(visit: Visit, tried?: Tried): Promise<Page> {
  const organization = await loadOrganization(visit);
  const path = `${organizationPath(organization)}/single-sign-on`;
  const above = [...belowTitle(organization), { name: 'Single sign-on', path }];
  if (!organization.permissions.admin)
    return inOrganization(organization, visit, {
      title: 'Single sign-on',
      above,
      main: forAdmins('set up single sign-on'),
    });
  const { api, params } = visit;
  const [provider, teams] = await Promise.all([
    api.get<SamlProvider>(providerApi(params)),
    api.get<ListPage<Team>>(withQuery(`${organizationApi(params)}/teams`, { limit: 200 })),
  ]);
  return inOrganization(organization, visit, {
    title: provider.label,
    above,
    main: html`${provider.warnings?.map((warning) => html`<p class="note problem">${warning}</p>`)}
<h2>Settings at the identity provider</h2>
${serviceFacts(provider)}
<h2>Settings here</h2>
${formOf(update, { visit, tried, button: 'Save the settings', fields: fieldsOf(provider, { teams: teams.items, tried }) })}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the provider', isMain: false })}`,
  });
}

function serviceFacts({ status, service }: SamlProvider): Html {
  return facts([
    ['State', status],
    ['ACS URL', html`<code>${service.acsURL}</code>`],
    ['Entity ID and metadata', html`<code>${service.entityID}</code>`],
    ['Address that starts a sign-in', html`<code>${service.startURL}</code>`],
    ['Signature', 'of the response and of the assertion, with SHA-256'],
    ['Name ID', 'the e-mail address'],
  ]);
}

function fieldsOf(
  provider: SamlProvider,
  { teams, tried }: { teams: readonly Team[]; tried: Tried | undefined },
): Html {
  const value = (name: string, otherwise?: string) => typed(tried, update, name, otherwise);
  return html`${textField({ name: 'label', label: 'Name', isRequired: true }, { value: value('label', provider.label) })}
${textField({ name: 'entityID', label: 'Entity ID of the provider' }, { value: value('entityID', provider.entityID) })}
${textField({ name: 'ssoURL', label: 'Its sign-in URL' }, { type: 'url', value: value('ssoURL', provider.ssoURL) })}
${linesField(
  {
    name: 'certificate',
    label: 'Its certificate',
    hint: 'X.509, as PEM or base64. Another certificate or entity ID ends the sessions that the provider began.',
  },
  value('certificate', provider.certificate),
)}
${roleField(
  { name: 'defaultRole', label: 'Role of new members' },
  { value: value('defaultRole', roleValue(provider.defaultRole)), none: 'None: guests' },
)}
${choiceField(
  { name: 'defaultTeam', label: 'Team of new members' },
  {
    options: [['', 'None'], ...teams.map(({ id, title }) => [id, title] as const)],
    value: value('defaultTeam', provider.defaultTeam?.id),
  },
)}`;
}
