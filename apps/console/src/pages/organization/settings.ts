import type { EmailDomainVerification, Organization, Site } from '@bindery/contract';
import { html, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn, wordsIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { checkField, choiceField, linesField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { roleField, roleIn, roleValue } from '../../layout/roleField.ts';
import { adminPage, organizationApi, organizationPlace } from './frame.ts';

const place = `${organizationPlace}/settings`;

const update: ApiForm = {
  path: place,
  request: (params, fields) => {
    const site = textIn(fields, 'defaultSite');
    return {
      method: 'PATCH',
      path: organizationApi(params),
      json: {
        title: textIn(fields, 'title') ?? '',
        hostname: textIn(fields, 'hostname'),
        logo: textIn(fields, 'logo') ?? null,
        defaultRole: roleIn(fields, 'defaultRole'),
        defaultContent: site === undefined ? null : { type: 'site', site },
        inviteLinks: fields.has('inviteLinks'),
        sso: fields.has('sso'),
        ai: fields.has('ai'),
      },
    };
  },
  example: { title: 'Example', hostname: 'example', defaultRole: 'read', inviteLinks: 'true', ai: 'true' },
};

const setDomains: ApiForm = {
  path: `${place}/email-domains`,
  request: (params, fields) => ({
    method: 'PATCH',
    path: organizationApi(params),
    json: { emailDomains: wordsIn(fields, 'emailDomains') },
  }),
  example: { emailDomains: 'example.org' },
};

export const organizationSettingsRoutes: readonly Route[] = [
  page(place, settingsPage),
  ...[update, setDomains].map((form) =>
    formRoute<Organization>(form, {
      next: (_visit, { body }) => ({ location: `/organizations/${body.id}/settings` }),
      again: settingsPage,
    }),
  ),
];

async function settingsPage(visit: Visit, tried?: Tried): Promise<Page> {
  return adminPage(visit, {
    title: 'Settings of the organization',
    task: 'change its settings',
    main: async (organization) => forms(visit, { organization, tried }),
  });
}

async function forms(
  visit: Visit,
  { organization, tried }: { organization: Organization; tried: Tried | undefined },
): Promise<Html> {
  const path = apiPath`/orgs/${organization.id}/sites${{ limit: 100 }}`;
  const { items } = await visit.api.get<ListPage<Site>>(path);
  return html`${formOf(update, { visit, tried, button: 'Save the settings', fields: generalFields(organization, { sites: items, tried }) })}
<h2>E-mail domains</h2>
<p>Users with an e-mail address in a verified domain can join without an invite.</p>
${domainTable(organization.emailDomainVerification ?? [])}
${formOf(setDomains, {
  visit,
  tried,
  button: 'Save the domains',
  fields: linesField(
    {
      name: 'emailDomains',
      label: 'Domains',
      hint: 'One a line, such as example.org. Save none to remove all.',
    },
    typed(tried, setDomains, 'emailDomains', organization.emailDomains.join('\n')),
  ),
})}`;
}

function generalFields(
  organization: Organization,
  { sites, tried }: { sites: readonly Site[]; tried: Tried | undefined },
): Html {
  const value = (name: string, otherwise?: string) => typed(tried, update, name, otherwise);
  const isOn = (name: 'inviteLinks' | 'sso' | 'ai') =>
    tried?.form === update ? tried.fields.has(name) : organization[name];
  return html`${textField({ name: 'title', label: 'Title', isRequired: true }, { value: value('title', organization.title) })}
${textField(
  {
    name: 'hostname',
    label: 'Name in the addresses of its sites',
    hint: 'Lower case letters, digits and hyphens.',
  },
  { value: value('hostname', organization.hostname) },
)}
${textField({ name: 'logo', label: 'URL of its logo' }, { type: 'url', value: value('logo', organization.urls.logo) })}
${roleField(
  { name: 'defaultRole', label: 'Role of people who join', hint: 'By e-mail domain or single sign-on.' },
  { value: value('defaultRole', roleValue(organization.defaultRole)), none: 'None: guests' },
)}
${choiceField(
  { name: 'defaultSite', label: 'First page of members' },
  {
    options: [['', 'None'], ...sites.map(({ id, title }) => [id, title] as const)],
    value: value('defaultSite', organization.defaultContent?.site),
  },
)}
${checkField({ name: 'inviteLinks', label: 'Link invites work' }, isOn('inviteLinks'))}
${checkField({ name: 'sso', label: 'Members sign in through the SAML provider; needs an active one' }, isOn('sso'))}
${checkField({ name: 'ai', label: 'AI features' }, isOn('ai'))}`;
}

function domainTable(domains: readonly EmailDomainVerification[]): Html {
  return table(
    { id: 'domains', caption: 'Each takes effect once its DNS record exists', none: 'It has none.' },
    [
      { name: 'Domain', cell: ({ domain }) => domain },
      { name: 'State', cell: ({ status }) => (status === 'verified' ? 'verified' : 'waits for its record') },
      { name: 'Type', cell: ({ record }) => record.type },
      { name: 'Name of the record', cell: ({ record }) => html`<code>${record.name}</code>` },
      { name: 'Value', cell: ({ record }) => html`<code>${record.value}</code>` },
    ],
    domains,
  );
}
