import type { CustomHostname, Site } from '@bindery/contract';
import { facts, html, moment, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { inSite, loadSite, sitePath, sitePlace } from './frame.ts';

const place = `${sitePlace}/hostname`;

const claim: ApiForm = {
  path: place,
  request: ({ site = '' }, fields) => ({
    method: 'PUT',
    path: apiPath`/custom-hostnames/${textIn(fields, 'hostname') ?? 'none'}`,
    json: { target: { type: 'site', site } },
  }),
  example: { hostname: 'docs.example.org' },
};

const check: ApiForm = {
  path: `${place}/:hostname/check`,
  request: ({ hostname = '' }) => ({ method: 'PATCH', path: apiPath`/custom-hostnames/${hostname}` }),
};

const remove: ApiForm = {
  path: `${place}/:hostname/delete`,
  request: ({ hostname = '' }) => ({ method: 'DELETE', path: apiPath`/custom-hostnames/${hostname}` }),
  confirm: 'The site is no longer at this hostname',
};

const at = (params: Record<string, string>, hostname: string) =>
  `${sitePath(params)}/hostname?name=${encodeURIComponent(hostname)}`;

export const hostnameRoutes: readonly Route[] = [
  page(place, hostnamePage),
  formRoute<CustomHostname>(claim, {
    next: ({ params }, { body }) => ({ location: at(params, body.hostname) }),
    again: hostnamePage,
  }),
  formRoute(check, {
    next: ({ params }) => ({ location: at(params, params['hostname'] ?? '') }),
    again: hostnamePage,
  }),
  formRoute(remove, {
    next: ({ params }) => ({ location: `${sitePath(params)}/hostname` }),
    again: hostnamePage,
  }),
];

const states: Record<NonNullable<CustomHostname['status']>, string> = {
  dns_no_cname: 'waits for DNS: there is no CNAME record',
  dns_wrong_cname: 'waits for DNS: the CNAME record leads elsewhere',
  dns_wrong_caa: 'stopped: CAA records permit no authority of the platform',
  dns_passed: 'waits for the TXT record',
  ssl_pending: 'the certificate is ordered',
  ssl_failed: 'the last order of the certificate failed',
  live: 'live, with a certificate',
};

/** The API lists no claimed hostnames, so that one that is not active yet is asked for by its name. */
async function hostnamePage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, query, params } = visit;
  const site = await loadSite(visit);
  const name = params['hostname'] ?? (query.get('name')?.trim() || site.hostname);
  const isShown = site.permissions.admin && !tried && name !== undefined;
  const found = isShown ? await api.get<CustomHostname>(apiPath`/custom-hostnames/${name}`) : undefined;
  return inSite(site, visit, {
    title: 'Hostname',
    main: site.permissions.admin
      ? html`${found && stateOf(visit, found)}${forms(visit, { site, tried })}`
      : html`<p>Only admins of the site manage its hostname.</p>`,
  });
}

function stateOf(visit: Visit, claimed: CustomHostname): Html {
  const { hostname, status, isActive, checkedAt, verification, cname } = claimed;
  const params = { hostname };
  return html`<h2>${hostname}</h2>
${facts([
  ['State', status === undefined ? 'not checked yet' : states[status]],
  ['Active', isActive ? 'yes' : 'no'],
  ['Last check', checkedAt !== undefined && moment(new Date(checkedAt))],
  ['TXT record', recordOf(verification.record.name, verification.record.value)],
  ['CNAME record', recordOf(hostname, cname)],
])}
${formOf(check, { visit, params, button: 'Check it now', isMain: false })}
${formOf(remove, { visit, params, button: 'Delete the hostname', isMain: false })}`;
}

function recordOf(name: string, value: string): Value {
  return html`<code>${name}</code>: <code>${value}</code>`;
}

function forms(visit: Visit, { site, tried }: { site: Site; tried: Tried | undefined }): Html {
  return html`<h2>${site.hostname === undefined ? 'Claim a hostname' : 'Claim another hostname'}</h2>
${formOf(claim, {
  visit,
  tried,
  button: 'Claim it',
  fields: textField(
    { name: 'hostname', label: 'Hostname', hint: 'Such as docs.example.org.', isRequired: true },
    { value: typed(tried, claim, 'hostname') },
  ),
})}
<h2>State of a claimed hostname</h2>
${searchForm(`${sitePath(visit.params)}/hostname`, {
  fields: textField({ name: 'name', label: 'Its name' }, {}),
  button: 'Show',
})}`;
}
