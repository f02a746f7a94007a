import { html, moment, table, type Value } from '@bindery/html';
import {
  WebhookDelivery,
  WebhookEndpoint,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import type { AreaPage } from './layout.ts';

const endpointsShown = 50;
/** Counting more would cost more than the page. */
const deliveriesCounted = 1_000;

type Row = WebhookEndpointRecord & { pending: number; failed?: WebhookDeliveryRecord };

/** The endpoints of webhooks whose deliveries fail. */
export async function webhooksPage(): Promise<AreaPage> {
  const endpoints = await WebhookEndpoint.find({ failingSince: { $exists: true } })
    .sort({ failingSince: 1 })
    .limit(endpointsShown)
    .lean<WebhookEndpointRecord[]>();
  const rows = await Promise.all(endpoints.map(withDeliveries));
  return {
    title: 'Webhooks',
    main: html`<p>Paths of addresses are not shown, because they may contain a secret.</p>
${table(
  {
    id: 'webhooks',
    caption: `Endpoints that fail, at most ${endpointsShown}, the longest failures first. Times are UTC.`,
    none: 'All deliveries to endpoints have succeeded of late.',
  },
  [
    { name: 'Endpoint', cell: ({ _id, url }) => html`${originOf(url)}<br><span class="soft">${_id}</span>` },
    { name: 'Organization', cell: ({ organization }) => organization },
    { name: 'Fails since', cell: ({ failingSince }) => moment(failingSince) },
    {
      name: 'State',
      cell: ({ isEnabled, disabledReason }) =>
        isEnabled ? 'enabled' : html`<span class="bad">disabled</span>: ${disabledReason ?? 'by an admin'}`,
    },
    {
      name: 'Pending',
      isNumber: true,
      cell: ({ pending }) => (pending < deliveriesCounted ? pending : `${pending} or more`),
    },
    { name: 'Last failed delivery', cell: lastFailure },
  ],
  rows,
)}`,
  };
}

async function withDeliveries(endpoint: WebhookEndpointRecord): Promise<Row> {
  const pendingOf = { endpoint: endpoint._id, state: 'pending' as const };
  const [pending, oldest, failed] = await Promise.all([
    WebhookDelivery.countDocuments(pendingOf).limit(deliveriesCounted),
    WebhookDelivery.findOne(pendingOf, { payload: 0 })
      .sort({ createdAt: 1, _id: 1 })
      .lean<WebhookDeliveryRecord>(),
    WebhookDelivery.findOne({ endpoint: endpoint._id, state: 'failed' }, { payload: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .lean<WebhookDeliveryRecord>(),
  ]);
  const shown = oldest && oldest.attempts.length > 0 ? oldest : failed;
  return { ...endpoint, pending, failed: shown ?? undefined };
}

function lastFailure({ failed }: Row): Value {
  const attempt = failed?.attempts.at(-1);
  if (!failed || !attempt) return undefined;
  const answer = attempt.status === undefined ? (attempt.error ?? 'no answer') : `status ${attempt.status}`;
  return html`${failed.kind}, ${failed.state}: ${answer} after ${attempt.durationMs} ms, ${moment(attempt.at)}`;
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'an address that cannot be read';
}
