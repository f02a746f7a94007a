import type { GlossaryEntry, Organization, Translation } from '@bindery/contract';
import { html, table, type Html } from '@bindery/html';
import { directionOfLanguage } from '@bindery/render';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { formOf } from '../../layout/form.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import {
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from '../organization/frame.ts';
import { belowTranslations, linkTo } from './frame.ts';
import { nameOfLanguage } from './languages.ts';
import { termFields, termsIn } from './termFields.ts';

const list = `${organizationPlace}/glossary`;
const place = `${list}/:entry`;
const shown = 50;
/** Translations whose languages a new entry shows first. */
const lookedAt = 100;

type Operation = { type: 'insert' | 'update' | 'delete'; id?: string | undefined; translations?: object };

const change = (params: Record<string, string>, operation: Operation) => ({
  method: 'PUT' as const,
  path: `${organizationApi(params)}/translations-glossary`,
  json: { operations: [operation] },
});
const example = { 'term-en': 'space', 'term-es': 'espacio' };

const add: ApiForm = {
  path: list,
  request: (params, fields) => change(params, { type: 'insert', translations: termsIn(fields) }),
  example,
};

const update: ApiForm = {
  path: `${place}/terms`,
  request: ({ entry: id, ...params }, fields) =>
    change(params, { type: 'update', id, translations: termsIn(fields) }),
  example,
};

const remove: ApiForm = {
  path: `${place}/delete`,
  request: ({ entry: id, ...params }) => change(params, { type: 'delete', id }),
  confirm: 'Delete the entry; translations of its languages run again',
};

const next = ({ params }: Visit) => ({ location: `/organizations/${params['organization']}/glossary` });

export const glossaryRoutes: readonly Route[] = [
  page(list, glossaryPage),
  formRoute(add, { next, again: glossaryPage }),
  page(place, entryPage),
  formRoute(update, { next, again: entryPage }),
  formRoute(remove, { next, again: entryPage }),
];

async function glossaryPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params, query } = visit;
  const [organization, found] = await Promise.all([
    loadOrganization(visit),
    api.get<ListPage<GlossaryEntry>>(
      withQuery(`${organizationApi(params)}/translations-glossary`, {
        limit: shown,
        page: placeIn(query),
      }),
    ),
  ]);
  const path = `${organizationPath(organization)}/glossary`;
  return inOrganization(organization, visit, {
    title: 'Glossary',
    above: belowTranslations(organization),
    main: html`<p>Translations use these terms. Those between two languages of an entry run again when it changes.</p>
${entryTable(found.items, path)}
${furtherLink(found, { path, query, text: 'Further entries' })}
${
  mayChange(organization, visit) &&
  html`<h2>Add an entry</h2>
${formOf(add, {
  visit,
  tried,
  button: 'Add the entry',
  fields: termFields(add, { tried, first: await languagesInUse(visit) }),
})}`
}`,
  });
}

function mayChange({ permissions }: Organization, { session }: Visit): boolean {
  return permissions.createContent && mayUse(session, 'write');
}

function entryTable(entries: readonly GlossaryEntry[], path: string): Html {
  return table<GlossaryEntry>(
    { id: 'entries', caption: 'Newest first', none: 'There are none.' },
    [
      { name: 'Terms', cell: showTerms },
      { name: 'Entry', cell: (entry) => linkTo(`${path}/${entry.id}`, nameOf(entry)) },
    ],
    entries,
  );
}

function showTerms({ translations }: GlossaryEntry): Html {
  return html`<ul>${Object.entries(translations).map(
    ([code, term]) =>
      html`<li>${nameOfLanguage(code)}: <span lang="${code}" dir="${directionOfLanguage(code)}">${term}</span></li>`,
  )}</ul>`;
}

function nameOf({ translations }: GlossaryEntry): string {
  return Object.values(translations)[0] ?? 'without a term';
}

/** The languages of the newest translations, from which and into which they translate. */
async function languagesInUse({ api, params }: Visit): Promise<string[]> {
  const { items } = await api.get<ListPage<Translation>>(
    withQuery(`${organizationApi(params)}/translations`, { limit: lookedAt }),
  );
  return items.flatMap(({ source, language }) => [source.language, language]);
}

async function entryPage(visit: Visit, tried?: Tried): Promise<Page> {
  const { api, params } = visit;
  const [organization, entry] = await Promise.all([
    loadOrganization(visit),
    api.get<GlossaryEntry>(
      organizationApi(params) + apiPath`/translations-glossary/${params['entry'] ?? ''}`,
    ),
  ]);
  const above: Crumb[] = [
    ...belowTranslations(organization),
    { name: 'Glossary', path: `${organizationPath(organization)}/glossary` },
  ];
  return inOrganization(organization, visit, {
    title: nameOf(entry),
    above,
    main: mayChange(organization, visit) ? await entryForms(visit, { entry, tried }) : showTerms(entry),
  });
}

async function entryForms(
  visit: Visit,
  { entry: { translations }, tried }: { entry: GlossaryEntry; tried: Tried | undefined },
): Promise<Html> {
  const first = [...Object.keys(translations), ...(await languagesInUse(visit))];
  return html`${formOf(update, {
    visit,
    tried,
    button: 'Save the entry',
    fields: termFields(update, { tried, first, translations }),
  })}
<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the entry', isMain: false })}`;
}
