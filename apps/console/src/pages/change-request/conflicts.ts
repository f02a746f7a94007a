import type { ChangeRequest, ChangeRequestConflicts } from '@bindery/contract';
import { newBudget } from '@bindery/document-diff';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { ApiFailure } from '../../api/apiFailure.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { loadContent } from '../content.ts';
import { showConflict, withKeys, type Chosen, type ListedConflict } from './showConflict.ts';

const shown = 100;
/** Of the shown conflicts with their texts: compressed, their page stays below 25 kB. */
const maxBytes = 60_000;
/** The page of a change request does not wait longer for the number of its conflicts. */
const countMs = 2_000;

const place = '/spaces/:space/change-requests/:number/conflicts';
const changeRequestApi = ({ space = '', number = '' }: Record<string, string>) =>
  apiPath`/spaces/${space}/change-requests/${number}`;

const revisionNames = ['base', 'main', 'changeRequest'] as const;

const revisionsIn = (fields: URLSearchParams) =>
  Object.fromEntries(revisionNames.map((name) => [name, fields.get(name) ?? '']));

/** `conflict` is the id of a conflict and the key of its fields, once for each. */
const settle: ApiForm = {
  path: place,
  // For texts of 4,000 characters: a form escapes those outside ASCII, each byte as three.
  maxBytes: 6_000_000,
  request: (params, fields) => ({
    method: 'POST',
    path: `${changeRequestApi(params)}/update`,
    json: {
      revisions: revisionsIn(fields),
      resolutions: fields.getAll('conflict').flatMap((listed) => {
        const [conflict = '', key = ''] = listed.split(' ');
        const take = textIn(fields, `take-${key}`);
        if (take === undefined) return [];
        return { conflict, take, ...(take === 'text' && { text: fields.get(`text-${key}`) ?? '' }) };
      }),
      otherwise: textIn(fields, 'otherwise'),
    },
  }),
};

const settleAll: ApiForm = {
  path: `${place}/all`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${changeRequestApi(params)}/update`,
    json: { revisions: revisionsIn(fields), otherwise: textIn(fields, 'take') ?? '' },
  }),
};

export const conflictRoutes: readonly Route[] = [
  page(place, conflictsPage),
  ...[settle, settleAll].map((form) =>
    formRoute<ChangeRequest>(form, {
      next: ({ params }) => ({
        location: `/spaces/${params['space']}/change-requests/${params['number']}`,
      }),
      again: conflictsPage,
    }),
  ),
];

/**
 * The number of conflicts of a change request with the main content; undefined if the API does not tell soon:
 * it merges all that both sides changed.
 */
export async function countConflicts({ api, params }: Visit): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(countMs);
    const answer = await api.open(`${changeRequestApi(params)}/conflicts?limit=1`, { signal });
    const { conflicts, more = 0 } = (await answer.json()) as ChangeRequestConflicts;
    return conflicts.length + more;
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 401) throw failure;
    return undefined;
  }
}

/** Returns `one conflict`, `2 conflicts`, or `conflicts` without a known number. */
export function namedCount(count: number | undefined): string {
  if (count === undefined) return 'conflicts';
  return count === 1 ? 'one conflict' : `${count} conflicts`;
}

async function conflictsPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { space, above, path, changeRequest } = await loadContent(visit);
  // Somebody may have merged it since the form was opened.
  const isMerged = changeRequest?.status === 'merged';
  const found = isMerged ? undefined : await loadConflicts(visit);
  return {
    title: 'Conflicts',
    above,
    main: found
      ? showAll(visit, {
          found,
          path,
          tried,
          mayChoose: space.permissions.edit && mayUse(visit.session, 'write'),
        })
      : html`<p>The change request is merged: its content is final.</p>`,
  };
}

async function loadConflicts({ api, params }: Visit): Promise<ChangeRequestConflicts> {
  return api.get(`${changeRequestApi(params)}/conflicts?limit=${shown}`);
}

type Found = {
  found: ChangeRequestConflicts;
  path: string;
  tried: Tried | undefined;
  mayChoose: boolean;
};

function showAll(visit: Visit, { found, path, tried, mayChoose }: Found): Html {
  const { conflicts, more = 0 } = found;
  if (conflicts.length === 0)
    return html`<p>There are none: the main content and the change request did not change the same thing.</p>
<p><a href="${path}">Back to the change request</a></p>`;
  const count = conflicts.length + more;
  const listed = withKeys(firstOf(conflicts));
  const budget = newBudget();
  const sections = listed.map((one, index) => {
    const chosen = mayChoose ? chosenFor(one, tried) : undefined;
    return showConflict(one, { index, budget, chosen, path });
  });
  const others = count - listed.length;
  return html`<p>The change request and the main content changed the same thing: ${namedCount(count)}. Once they are
settled, the change request is up to date with the main content, and can be merged without any.</p>
${mayChoose ? settleForms(visit, { found, listed, sections, tried, others }) : html`${sections}${others > 0 && html`<p>And ${others} more.</p>`}`}`;
}

/** As many as one page holds, however long their texts are, and at least one. */
function firstOf(conflicts: ChangeRequestConflicts['conflicts']): ChangeRequestConflicts['conflicts'] {
  let bytes = 0;
  const end = conflicts.findIndex((one, index) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? conflicts : conflicts.slice(0, end);
}

function chosenFor({ key }: ListedConflict, tried: Tried | undefined): Chosen {
  const fields = tried?.form === settle ? tried.fields : undefined;
  return { take: fields?.get(`take-${key}`) ?? undefined, text: fields?.get(`text-${key}`) ?? undefined };
}

function settleForms(
  visit: Visit,
  {
    found: { revisions },
    listed,
    sections,
    tried,
    others,
  }: {
    found: ChangeRequestConflicts;
    listed: readonly ListedConflict[];
    sections: readonly Html[];
    tried: Tried | undefined;
    others: number;
  },
): Html {
  const seen = revisionNames.map((name) => hidden(name, revisions[name]));
  const named = ({ conflict, key }: ListedConflict) => `${conflict.id} ${key}`;
  const [first] = listed;
  const all = (take: string, button: string) =>
    formOf(settleAll, {
      visit,
      button,
      isMain: false,
      fields: html`${seen}${hidden('take', take)}`,
      example: { ...revisions, take },
    });
  return html`<h2>Take one version for all</h2>
<p>Lines of a text that only one side changed are taken from both.</p>
${all('main', 'Take all of the main content')}
${all('change-request', 'Take all of the change request')}
<h2>Choose for each</h2>
${formOf(settle, {
  visit,
  button: 'Settle the conflicts',
  fields: html`${seen}${listed.map((one) => hidden('conflict', named(one)))}${sections}${others > 0 && othersField(others, typed(tried, settle, 'otherwise'))}`,
  example: { ...revisions, ...(first && { conflict: named(first), [`take-${first.key}`]: 'main' }) },
})}`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function othersField(others: number, chosen: string): Html {
  const radio = (value: string, label: string) =>
    html`<label class="check"><input type="radio" name="otherwise" value="${value}" required ?checked=${chosen === value}>${label}</label>`;
  return html`<fieldset class="conflict"><legend>And ${others} more, all of them</legend>
${radio('main', 'Take the main content')}
${radio('change-request', 'Take the change request')}</fieldset>`;
}
