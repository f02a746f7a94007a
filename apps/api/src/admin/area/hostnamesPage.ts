import { normalizeHostname, type CustomHostnameStatus } from '@bindery/contract';
import { html, type Html, moment, table, type Value } from '@bindery/html';
import {
  CustomHostname,
  HostnameCertificate,
  Organization,
  Site,
  type CustomHostnameRecord,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { cutPage } from '../../http/answer/paging.ts';
import { furtherLink } from './furtherLink.ts';
import type { Fields } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { organizationColumn, titled, titlesOf } from './titlesOf.ts';

const hostnamesPerPage = 50;

/** Without the key and the chain, which no page shows. */
type Certificate = Omit<HostnameCertificateRecord, 'sealedKey' | 'chain'>;

const statuses: Record<CustomHostnameStatus, string> = {
  live: 'served',
  dns_passed: 'DNS leads here',
  dns_no_cname: 'has no CNAME record',
  dns_wrong_cname: 'has the CNAME record of another server',
  dns_wrong_caa: 'its CAA records forbid the certificate',
  ssl_pending: 'waits for its certificate',
  ssl_failed: 'its certificate failed',
};

/** The custom hostnames that organizations have claimed, each with the state of its certificate. */
export async function hostnamesPage(fields: Fields): Promise<AreaPage> {
  const chosen = compact({ hostname: fields('hostname'), organization: fields('organization') });
  const { items: claims, next } = cutPage(
    await findClaims({ ...chosen, after: fields('after') }),
    hostnamesPerPage,
    ({ _id }) => [_id],
  );
  const [titles, sites, certificates] = await Promise.all([
    titlesOf(
      Organization,
      claims.map(({ organization }) => organization),
    ),
    titlesOf(
      Site,
      claims.map(({ site }) => site),
    ),
    certificatesOf(claims.map(({ hostname }) => hostname)),
  ]);
  return {
    title: 'Custom hostnames',
    main: html`${filterForm(chosen)}
${table<CustomHostnameRecord>(
  {
    id: 'hostnames',
    caption: 'The claims of organizations, by hostname. Times are UTC.',
    none: 'There are none.',
  },
  [
    { name: 'Hostname', cell: ({ hostname }) => hostname },
    organizationColumn(titles),
    { name: 'Site', cell: ({ site }) => titled(site, sites) },
    { name: 'Proven', cell: ({ provenAt }) => moment(provenAt) ?? 'no' },
    { name: 'State', cell: stateOf },
    {
      name: 'Certificate',
      // The claims of other organizations have none.
      cell: ({ hostname, provenAt }) => provenAt && certificateState(certificates.get(hostname)),
    },
    { name: 'Checked', cell: ({ checkedAt }) => moment(checkedAt) },
    { name: 'Next check', cell: ({ nextCheckAt }) => moment(nextCheckAt) },
  ],
  claims,
)}
${furtherLink('hostnames', { query: chosen, after: next?.[0]?.toString(), text: 'Further hostnames' })}`,
  };
}

type Filter = { hostname?: string; organization?: string; after?: string | undefined };

/** One more than a page has. An organization has few hostnames, and few organizations claim the same one. */
async function findClaims({ hostname, organization, after }: Filter): Promise<CustomHostnameRecord[]> {
  const name = hostname === undefined ? undefined : (normalizeHostname(hostname) ?? hostname);
  const filter = compact({ hostname: name, organization });
  return CustomHostname.find({ ...filter, ...(after !== undefined && { _id: { $gt: after } }) })
    .sort({ _id: 1 })
    .limit(hostnamesPerPage + 1)
    .lean<CustomHostnameRecord[]>();
}

async function certificatesOf(hostnames: readonly string[]): Promise<ReadonlyMap<string, Certificate>> {
  const found = await HostnameCertificate.find({ _id: { $in: hostnames } }, { sealedKey: 0, chain: 0 }).lean<
    Certificate[]
  >();
  return new Map(found.map((certificate) => [certificate._id, certificate]));
}

function stateOf({ status, isActive }: CustomHostnameRecord): Html {
  const others = status === 'ssl_failed' ? 'bad' : 'soft';
  const tone = status === 'live' ? 'good' : others;
  const words = status === undefined ? 'not checked yet' : statuses[status];
  return html`<span class="${tone}">${words}</span>${isActive && html`<br>its site has it`}`;
}

function certificateState(certificate: Certificate | undefined): Value {
  if (!certificate) return 'none';
  const { expiresAt, hasFailed, failures, nextAttemptAt } = certificate;
  return html`${expiresAt ? html`until ${moment(expiresAt)}` : 'none yet'}<br>
${hasFailed && html`<span class="bad">${failures} failed orders</span>, `}next order ${moment(nextAttemptAt)}`;
}

function filterForm({ hostname, organization }: Filter): Html {
  return html`<form class="filter" method="get" action="/admin/hostnames" role="search" aria-label="Filter of the hostnames">
<div><label for="hostname">Hostname</label><input id="hostname" name="hostname" value="${hostname}" maxlength="253" autocomplete="off"></div>
<div><label for="organization">Organization (id)</label><input id="organization" name="organization" value="${organization}" maxlength="64" autocomplete="off"></div>
<div><button class="main">Show</button></div>
</form>`;
}
