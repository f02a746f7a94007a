import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@bindery/contract';
import { facts, html, moment, table, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { adminPage, organizationPlace } from '../organization/frame.ts';

const place = `${organizationPlace}/webhooks/:webhook/deliveries/:delivery`;
const deliveryApi = ({ organization = '', webhook = '', delivery = '' }: Record<string, string>) =>
  apiPath`/orgs/${organization}/webhooks/${webhook}/deliveries/${delivery}`;

const redeliver: ApiForm = {
  path: `${place}/redeliver`,
  request: (params) => ({ method: 'POST', path: `${deliveryApi(params)}/redeliver` }),
};

export const deliveryRoutes: readonly Route[] = [
  page(place, deliveryPage),
  formRoute<WebhookDelivery>(redeliver, {
    next: ({ params }, { body }) => ({
      location: `/organizations/${params['organization']}/webhooks/${params['webhook']}/deliveries/${body.id}`,
    }),
    again: deliveryPage,
  }),
];

/** Shows an event that was sent to a webhook, and the answer. */
async function deliveryPage(visit: Visit): Promise<Page> {
  return adminPage(visit, {
    title: 'Delivery',
    task: 'manage webhooks',
    below: [
      { name: 'Webhooks', path: '/webhooks' },
      { name: 'Webhook', path: `/webhooks/${visit.params['webhook']}` },
    ],
    main: async () => mainOf(visit),
  });
}

async function mainOf(visit: Visit): Promise<Html> {
  const delivery = await visit.api.get<WebhookDeliveryDetails>(deliveryApi(visit.params));
  const { type, event, isTest, state, failedBecause, createdAt, nextAttemptAt, payload } = delivery;
  return html`${facts([
    ['Event', `${type}${isTest ? ' (a test)' : ''}`],
    ['webhook-id', event],
    ['State', state],
    ['Failed because', failedBecause?.replaceAll('_', ' ')],
    ['Created', moment(new Date(createdAt))],
    ['Next attempt', nextAttemptAt !== undefined && moment(new Date(nextAttemptAt))],
  ])}
<h2>Attempts</h2>
${attemptTable(delivery)}
${formOf(redeliver, { visit, button: 'Send it again', isMain: false })}
<h2>Body</h2>
<pre tabindex="0" role="region" aria-label="Body of the request">${payload}</pre>`;
}

function attemptTable({ attempts }: WebhookDeliveryDetails): Html {
  return table<WebhookAttempt>(
    { id: 'attempts', caption: 'The last 20, oldest first. Times are UTC.', none: 'There were none yet.' },
    [
      { name: 'Time', cell: ({ at }) => moment(new Date(at)) },
      { name: 'Answer', cell: ({ status, error }) => status ?? error },
      { name: 'Milliseconds', isNumber: true, cell: ({ durationMs }) => durationMs },
    ],
    attempts,
  );
}
