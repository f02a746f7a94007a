import { html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { sitePlace } from './frame.ts';
import { seenField, type SeenForm } from './seenForm.ts';
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

const rename: SeenForm = {
  path: `${place}/rename`,
  object: (params, fields) => itemApi(params, pointerIn(fields, 'renamed')),
  request: (params, fields) => {
    const renamed = pointerIn(fields, 'renamed');
    const path = textIn(fields, 'newPath');
    const isSection = renamed.type === 'site-section';
    return {
      method: 'PATCH',
      path: itemApi(params, renamed),
      json: { title: textIn(fields, 'newTitle') ?? '', ...(isSection && path !== undefined && { path }) },
    };
  },
  example: { renamed: 'site-section:SECTION', newTitle: 'Guides', newPath: 'guides' },
};

const groupApi = (params: Record<string, string>, id = 'GROUP') =>
  itemApi(params, { type: 'site-section-group', id });

const putIntoGroup: SeenForm = {
  path: `${place}/group-section`,
  object: (params, fields) => groupApi(params, textIn(fields, 'intoGroup')),
  request: (params, fields) => ({
    method: 'POST',
    path: `${groupApi(params, textIn(fields, 'intoGroup'))}/sections`,
    json: { sectionId: pointerIn(fields, 'grouped').id },
  }),
  example: { grouped: 'site-section:SECTION', intoGroup: 'GROUP' },
};

/** The group and the section that a choice names. */
const groupedIn = (fields: URLSearchParams) => (textIn(fields, 'ungrouped') ?? 'GROUP').split(':');

const takeOutOfGroup: SeenForm = {
  path: `${place}/ungroup-section`,
  object: (params, fields) => groupApi(params, groupedIn(fields)[0]),
  request: (params, fields) => {
    const [group, section = 'SECTION'] = groupedIn(fields);
    return { method: 'DELETE', path: `${groupApi(params, group)}${apiPath`/sections/${section}`}` };
  },
};

/** The forms that change sections and groups of sections. */
export const sectionForms: readonly SeenForm[] = [rename, putIntoGroup, takeOutOfGroup];

/** The forms for the sections and groups that a site has. */
export function showSectionForms(
  visit: Visit,
  { structure, tried }: { structure: readonly Item[]; tried: Tried | undefined },
): Value {
  const parts = optionsOf(structure).filter(([value]) => !value.startsWith('site-space:'));
  if (parts.length === 0) return undefined;
  const sections = parts.filter(([value]) => value.startsWith('site-section:'));
  const groups = structure.filter(({ object }) => object === 'site-section-group');
  const grouped = groups.flatMap((group) =>
    childrenOf(group).map(({ id, title }) => [`${group.id}:${id}`, `${group.title} / ${title}`] as const),
  );
  const choice = (form: ApiForm, field: { name: string; label: string }, options: Options) =>
    choiceField(field, { options, value: typed(tried, form, field.name) });
  const form = (one: ApiForm, button: string, fields: Html) =>
    formOf(one, { visit, tried, button, fields: html`${seen}${fields}`, isMain: false });
  const seen = seenField(seenOf(structure));
  const titleField = { name: 'newTitle', label: 'New title', isRequired: true };
  const pathField = { name: 'newPath', label: 'New path', hint: 'Of a section; empty to keep it.' };
  return html`<h2>Rename</h2>
${form(
  rename,
  'Rename it',
  html`${choice(rename, { name: 'renamed', label: 'Section or group' }, parts)}
${textField(titleField, { value: typed(tried, rename, 'newTitle') })}
${textField(pathField, { value: typed(tried, rename, 'newPath') })}`,
)}
${
  groups.length > 0 &&
  html`<h2>Put a section into a group</h2>
${form(
  putIntoGroup,
  'Put it into the group',
  html`${choice(putIntoGroup, { name: 'grouped', label: 'Section' }, sections)}
${choice(
  putIntoGroup,
  { name: 'intoGroup', label: 'Group' },
  groups.map((group) => [group.id, group.title] as const),
)}`,
)}`
}
${
  grouped.length > 0 &&
  html`<h2>Take a section out of its group</h2>
${form(takeOutOfGroup, 'Take it out', choice(takeOutOfGroup, { name: 'ungrouped', label: 'Section of a group' }, grouped))}`
}`;
}
