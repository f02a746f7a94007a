import type { Webhook, WebhookDelivery } from '@bindery/contract';
import { facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import {
  adminPage,
  belowTitle,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from '../organization/frame.ts';
import { settingsIn, webhookFields } from './webhookFields.ts';

const list = `${organizationPlace}/webhooks`;
const place = `${list}/:webhook`;
const webhookApi = ({ organization = '', webhook = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/webhooks/${webhook}`;

const example = { url: 'https://example.org/hook', 'event-space_content_updated': 'true', enabled: 'true' };

const create: ApiForm = {
  path: list,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/webhooks`,
    json: settingsIn(fields),
  }),
  example,
};

const update: ApiForm = {
  path: `${place}/settings`,
  request: (params, fields) => ({ method: 'PATCH', path: webhookApi(params), json: settingsIn(fields) }),
  example,
};

const ping: ApiForm = {
  path: `${place}/ping`,
  request: (params) => ({ method: 'POST', path: `${webhookApi(params)}/ping` }),
};

const rotate: ApiForm = {
  path: `${place}/secret`,
  request: (params) => ({ method: 'POST', path: `${webhookApi(params)}/secret` }),
  confirm: 'Replace the secret; the present one still signs for 24 hours',
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: (params) => ({ method: 'DELETE', path: webhookApi(params) }),
  confirm: 'Delete the webhook and its deliveries',
};

const pathOf = ({ params }: Visit, id = params['webhook']) =>
  `/organizations/${params['organization']}/webhooks/${id}`;

export const webhookRoutes: readonly Route[] = [
  page(list, webhooksPage),
  formRoute<{ id: string; secret: string }>(create, {
    next: (visit, { body }) => secretPage(visit, body),
    again: webhooksPage,
  }),
  page(place, webhookPage),
  formRoute(update, { next: (visit) => ({ location: pathOf(visit) }), again: webhookPage }),
  formRoute<WebhookDelivery>(ping, {
    next: (visit, { body }) => ({ location: `${pathOf(visit)}/deliveries/${body.id}` }),
    again: webhookPage,
  }),
  formRoute<{ id: string; secret: string }>(rotate, {
    next: (visit, { body }) => secretPage(visit, body),
    again: webhookPage,
  }),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/webhooks` }),
    again: webhookPage,
  }),
];

async function webhooksPage(visit: Visit, tried?: Tried): Promise<Page> {
  return adminPage(visit, {
    title: 'Webhooks',
    task: 'manage webhooks',
    main: async (organization) =>
      webhooks(visit, { path: `${organizationPath(organization)}/webhooks`, tried }),
  });
}

async function webhooks(
  visit: Visit,
  { path, tried }: { path: string; tried: Tried | undefined },
): Promise<Html> {
  const { api, params, query } = visit;
  const found = await api.get<ListPage<Webhook>>(
    withQuery(`${organizationApi(params)}/webhooks`, { limit: 50, page: placeIn(query) }),
  );
  return html`${table<Webhook>(
    { id: 'webhooks', caption: 'Newest first', none: 'There are none.' },
    [
      { name: 'URL', cell: ({ id, url }) => link(`${path}/${id}`, url) },
      { name: 'Description', cell: ({ description }) => description },
      { name: 'State', cell: stateOf },
    ],
    found.items,
  )}
${furtherLink(found, { path, query, text: 'Further webhooks' })}
<h2>Create a webhook</h2>
${formOf(create, { visit, tried, button: 'Create the webhook', fields: webhookFields(create, { tried }) })}`;
}

function link(target: string, name: string): Html {
  return html`<a href="${target}">${name}</a>`;
}

function stateOf({ enabled, disabledReason, failingSince }: Webhook): Value {
  if (disabledReason === 'gone') return html`<span class="bad">disabled: it answered 410 Gone</span>`;
  if (disabledReason === 'failing')
    return html`<span class="bad">disabled: all deliveries failed for five days</span>`;
  if (!enabled) return 'disabled';
  return failingSince === undefined ? 'enabled' : html`<span class="bad">failing</span>`;
}

async function webhookPage(visit: Visit, tried?: Tried): Promise<Page> {
  return adminPage(visit, {
    title: 'Webhook',
    task: 'manage webhooks',
    below: [{ name: 'Webhooks', path: '/webhooks' }],
    main: async () => mainOf(visit, tried),
  });
}

async function mainOf(visit: Visit, tried: Tried | undefined): Promise<Html> {
  const { api, params, query } = visit;
  const [webhook, deliveries] = await Promise.all([
    api.get<Webhook>(webhookApi(params)),
    api.get<ListPage<WebhookDelivery>>(
      withQuery(`${webhookApi(params)}/deliveries`, { limit: 20, page: placeIn(query) }),
    ),
  ]);
  const { url, failingSince, previousSecretExpiresAt } = webhook;
  return html`${facts([
    ['URL', url],
    ['State', stateOf(webhook)],
    ['Failing since', failingSince !== undefined && moment(new Date(failingSince))],
    [
      'The previous secret signs until',
      previousSecretExpiresAt !== undefined && moment(new Date(previousSecretExpiresAt)),
    ],
  ])}
<h2>Deliveries</h2>
${deliveryTable(deliveries.items, pathOf(visit))}
${furtherLink(deliveries, { path: pathOf(visit), query, text: 'Further deliveries' })}
${formOf(ping, { visit, button: 'Send a test event', isMain: false })}
<h2>Settings</h2>
${formOf(update, { visit, tried, button: 'Save the settings', fields: webhookFields(update, { tried, webhook }) })}
<h2>Secret</h2>
${formOf(rotate, { visit, button: 'Replace the secret', isMain: false })}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the webhook', isMain: false })}`;
}

function deliveryTable(deliveries: readonly WebhookDelivery[], path: string): Html {
  return table<WebhookDelivery>(
    {
      id: 'deliveries',
      caption: 'Of the last 30 days, newest first. Times are UTC.',
      none: 'There are none.',
    },
    [
      { name: 'Event', cell: ({ id, type }) => link(`${path}/deliveries/${id}`, type) },
      { name: 'State', cell: ({ state }) => state },
      { name: 'Created', cell: ({ createdAt }) => moment(new Date(createdAt)) },
      {
        name: 'Next attempt',
        cell: ({ nextAttemptAt }) => nextAttemptAt !== undefined && moment(new Date(nextAttemptAt)),
      },
    ],
    deliveries,
  );
}

/** The only page with a new secret. */
async function secretPage(visit: Visit, { id, secret }: { id: string; secret: string }): Promise<Page> {
  return {
    title: 'Secret of the webhook',
    status: 201,
    above: belowTitle(await loadOrganization(visit)),
    main: html`<p role="status">Copy the secret now: it is not shown again. It signs each request.</p>
<pre tabindex="0" role="region" aria-label="Secret">${secret}</pre>
<p>${link(pathOf(visit, id), 'To the webhook')}</p>`,
  };
}
