import { ApiError } from '@bindery/contract';
import { html, type Html, moment, table } from '@bindery/html';
import { clearLimit, describeLimit, listLimits, setLimit, type LimitPlace } from '@bindery/jobs';
import type { JobLimitRecord } from '@bindery/models';
import { requireKind, type Acting } from './actions.ts';
import type { Fields } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { postForm } from './parts.ts';

const places = {
  process: 'each worker process',
  each: 'each organization',
  one: 'the organization named below',
} as const;

/** The limits of a kind, with forms to set and to clear one. @throws ApiError not_found */
export async function limitsPage(kind: string): Promise<AreaPage> {
  await requireKind(kind);
  const limits = (await listLimits()).filter((limit) => limit.kind === kind);
  return {
    title: `Limits of ${kind}`,
    main: html`<p>How many jobs of this kind run at once. A change holds for all workers within seconds, and ends no running job. Where no limit is set here, those of the workers’ configuration hold: <code>BINDERY_KIND_CONCURRENCY</code> and <code>BINDERY_KIND_PER_ORGANIZATION</code>.</p>
${table(
  { id: 'limits', caption: 'Times are UTC.', none: 'No limit is set here.' },
  [
    {
      name: 'For',
      cell: ({ per, organization }) => organization ?? places[per === 'process' ? per : 'each'],
    },
    { name: 'Jobs at once', isNumber: true, cell: ({ limit }) => limit },
    { name: 'Set', cell: ({ setAt, setBy }) => html`${moment(setAt)} by ${setBy}` },
    { name: 'Change', cell: clearForm },
  ],
  limits,
)}
<h2>Set a limit</h2>
${setForm(kind)}
<p><a href="/admin/kinds">All kinds</a></p>`,
  };
}

function setForm(kind: string): Html {
  const options = Object.entries(places).map(
    ([value, name]) => html`<option value="${value}">${name}</option>`,
  );
  return html`<form class="filter" method="post" action="/admin/kinds/${kind}/limits">
<div><label for="for">Limit for</label><select id="for" name="for">${options}</select></div>
<div><label for="organization">Organization (id)</label><input id="organization" name="organization" autocomplete="off" maxlength="64"></div>
<div><label for="limit">Jobs at once</label><input id="limit" name="limit" inputmode="numeric" required maxlength="4" aria-describedby="hint"></div>
<div><button class="main">Set the limit</button></div>
</form>
<p id="hint">1 to 1000. For one organization also 0: then its jobs of this kind wait. To let none run at all, pause the kind.</p>`;
}

function clearForm({ kind, per, organization, ...limit }: JobLimitRecord): Html {
  const ofAll = per === 'process' ? per : 'each';
  return postForm(
    `kinds/${kind}/limits/clear`,
    `Clear the ${limit.limit} for ${organization ?? places[ofAll]}`,
    { fields: organization === undefined ? { for: ofAll } : { for: 'one', organization } },
  );
}

/** @returns the path to show next; @throws ApiError for a limit that cannot be set */
export async function doSetLimit(kind: string, fields: Fields, acting: Acting): Promise<string> {
  await requireKind(kind);
  await setLimit(placeIn(kind, fields), fields('limit') ?? '', acting);
  return `/admin/kinds/${kind}/limits`;
}

/** @returns the path to show next; @throws ApiError not_found */
export async function doClearLimit(kind: string, fields: Fields, acting: Acting): Promise<string> {
  await requireKind(kind);
  await clearLimit(placeIn(kind, fields), acting);
  return `/admin/kinds/${kind}/limits`;
}

/** @throws ApiError invalid_request */
function placeIn(kind: string, fields: Fields): LimitPlace {
  const organization = fields('organization');
  const given = fields('for');
  if (given === 'one' && organization !== undefined) return { kind, per: 'organization', organization };
  if (given === 'one')
    throw new ApiError('invalid_request', 'A limit of one organization needs its id.', {
      action: 'The list of jobs shows the ids.',
    });
  if (organization !== undefined)
    throw new ApiError('invalid_request', 'An organization is named, but the limit is not for it alone.', {
      action: `Choose "${places.one}", or leave the id empty.`,
    });
  if (given !== 'process' && given !== 'each')
    throw new ApiError(
      'invalid_request',
      'The form does not say what the limit applies to. Choose one of the options.',
    );
  return { kind, per: given === 'process' ? 'process' : 'organization' };
}

/** The limits of a kind in words, for the list of kinds. */
export function limitsText(limits: readonly JobLimitRecord[]): string {
  const ofOne = limits.filter(({ organization }) => organization !== undefined);
  const parts = limits
    .filter(({ organization }) => organization === undefined)
    .map((limit) => `${limit.limit} ${describeLimit(limit).slice(limit.kind.length + 1)}`);
  if (ofOne.length > 0) parts.push(`${ofOne.length} of single organizations`);
  return parts.join(', ');
}
