import type { SiteStructure, Space } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { spaceLink } from '../links.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';
import { sectionForms, showSectionForms } from './sectionForms.ts';
import { requireSeen, seenField, type SeenForm } from './seenForm.ts';
import {
  childrenOf,
  itemApi,
  optionsOf,
  pointerIn,
  seenOf,
  type Item,
  type Options,
} from './structureItems.ts';

const place = `${sitePlace}/structure`;

const addSpace: ApiForm = {
  path: `${place}/spaces`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${siteApi(params)}/site-spaces`,
    json: { spaceId: textIn(fields, 'space') ?? '', sectionId: textIn(fields, 'section') },
  }),
  example: { space: 'SPACE' },
};

const addSection: ApiForm = {
  path: `${place}/sections`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${siteApi(params)}/sections`,
    json: { spaceId: textIn(fields, 'sectionSpace') ?? '', title: textIn(fields, 'sectionTitle') ?? null },
  }),
  example: { sectionSpace: 'SPACE', sectionTitle: 'Guides' },
};

const addGroup: ApiForm = {
  path: `${place}/groups`,
  request: (params, fields) => {
    const section = textIn(fields, 'groupSection');
    return {
      method: 'POST',
      path: `${siteApi(params)}/section-groups`,
      json: {
        title: textIn(fields, 'groupTitle') ?? '',
        sections: section === undefined ? undefined : [section],
      },
    };
  },
  example: { groupTitle: 'Products', groupSection: 'SECTION' },
};

/** Moves an item in front of another one, or behind it. */
const sort: SeenForm = {
  path: `${place}/sort`,
  object: siteApi,
  request: (params, fields) => ({
    method: 'PATCH',
    path: `${siteApi(params)}/structure/sort`,
    json: {
      item: pointerIn(fields, 'item'),
      position: { [textIn(fields, 'side') === 'after' ? 'after' : 'before']: pointerIn(fields, 'other') },
    },
  }),
  example: { item: 'site-space:ONE', other: 'site-space:OTHER' },
};

const setDefault: SeenForm = {
  path: `${place}/default`,
  object: siteApi,
  request: (params, fields) => {
    const { type, id } = pointerIn(fields, 'first');
    const field = type === 'site-section' ? 'defaultSiteSection' : 'defaultSiteSpace';
    return { method: 'PATCH', path: siteApi(params), json: { [field]: id } };
  },
  example: { first: 'site-space:ONE' },
};

const removedApi = (params: Record<string, string>, fields: URLSearchParams) =>
  itemApi(params, pointerIn(fields, 'removed'));

const remove: SeenForm = {
  path: `${place}/remove`,
  object: removedApi,
  request: (params, fields) => ({ method: 'DELETE', path: removedApi(params, fields) }),
  example: { removed: 'site-space:ONE' },
  confirm: 'Take it out of the site; its spaces stay',
};

const ways = {
  next: ({ params }: Visit) => ({ location: `${sitePath(params)}/structure` }),
  again: structurePage,
};

export const structureRoutes: readonly Route[] = [
  page(place, structurePage),
  ...[addSpace, addSection, addGroup].map((form) => formRoute(form, ways)),
  ...[...sectionForms, sort, setDefault, remove].map((form) =>
    formRoute(form, {
      ...ways,
      before: requireSeen(form, {
        what: 'the structure of the site',
        look: async (visit) => seenOf(await loadStructure(visit)),
      }),
    }),
  ),
];

const sides = [
  ['before', 'In front of'],
  ['after', 'Behind'],
] as const;

async function structurePage(visit: Visit, tried?: Tried): Promise<Page> {
  const site = await loadSite(visit);
  const structure = await loadStructure(visit);
  return inSite(site, visit, {
    title: 'Structure',
    main: html`${structure.length === 0 ? html`<p>It has no spaces yet.</p>` : tree(structure)}
${site.permissions.edit && mayUse(visit.session, 'write') && (await forms(visit, { structure, tried }))}`,
  });
}

async function loadStructure({ api, params }: Visit): Promise<readonly Item[]> {
  return (await api.get<SiteStructure>(`${siteApi(params)}/structure`)).structure;
}

function tree(items: readonly Item[]): Html {
  return html`<ul class="tree">${items.map((item) => {
    const children = childrenOf(item);
    return html`<li>${nameOf(item)}${children.length > 0 && tree(children)}</li>`;
  })}</ul>`;
}

function nameOf(item: Item): Html {
  if (item.object === 'site-section-group') return html`<strong>${item.title}</strong> (group)`;
  const isDefault = item.default && html` <strong>default</strong>`;
  if (item.object === 'site-section') return html`${item.title} <code>${item.path}</code>${isDefault}`;
  return html`${spaceLink(item.space)} <code>${item.path}</code>${isDefault}`;
}

async function forms(
  visit: Visit,
  { structure, tried }: { structure: readonly Item[]; tried: Tried | undefined },
): Promise<Html> {
  const { api, params } = visit;
  const listed = await api.get<ListPage<Space>>(
    apiPath`/orgs/${params['organization'] ?? ''}/spaces${{ limit: 500 }}`,
  );
  const spaces = listed.items.map(({ id, title }) => [id, title] as const);
  const items = optionsOf(structure);
  const sections = items.flatMap(([value, title]) => {
    const [type = '', id = ''] = value.split(':');
    return type === 'site-section' ? [[id, title] as const] : [];
  });
  const firsts = items.filter(([value]) => !value.startsWith('site-section-group:'));
  const choice = (form: ApiForm, name: string, label: string, options: Options) =>
    choiceField({ name, label }, { options, value: typed(tried, form, name) });
  const form = (one: ApiForm, button: string, fields: Html) =>
    formOf(one, { visit, tried, button, fields, isMain: false });
  const seen = seenField(seenOf(structure));
  return html`<h2>Add a space</h2>
${form(
  addSpace,
  'Add the space',
  html`${choice(addSpace, 'space', 'Space', spaces)}
${sections.length > 0 && choice(addSpace, 'section', 'Section', [['', 'The default one'], ...sections])}`,
)}
<h2>Add a section</h2>
${form(
  addSection,
  'Add the section',
  html`${choice(addSection, 'sectionSpace', 'Its first space', spaces)}
${textField({ name: 'sectionTitle', label: 'Title', hint: 'Empty for that of the space.' }, { value: typed(tried, addSection, 'sectionTitle') })}`,
)}
${
  sections.length > 0 &&
  html`<h2>Add a group of sections</h2>
${form(
  addGroup,
  'Add the group',
  html`${textField({ name: 'groupTitle', label: 'Title', isRequired: true }, { value: typed(tried, addGroup, 'groupTitle') })}
${choice(addGroup, 'groupSection', 'Its first section', sections)}`,
)}`
}
${showSectionForms(visit, { structure, tried })}
${
  items.length > 0 &&
  html`<h2>Order</h2>
${form(sort, 'Move it', html`${seen}${choice(sort, 'item', 'Move', items)}${choice(sort, 'side', 'To the place', sides)}${choice(sort, 'other', 'This part', items)}`)}
<h2>Default</h2>
${form(setDefault, 'Save the default', html`${seen}${choice(setDefault, 'first', 'Shown first', firsts)}`)}
<h2>Remove</h2>
${form(remove, 'Remove it', html`${seen}${choice(remove, 'removed', 'Part of the site', items)}`)}`
}`;
}
