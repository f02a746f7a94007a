import { hash } from 'node:crypto';
import type { SiteSection, SiteSectionGroup, SiteSpace } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import { textIn } from '../../http/fields.ts';
import { siteApi } from './frame.ts';

/** A part of the structure of a site. */
export type Item = SiteSpace | SiteSection | SiteSectionGroup;

/** Values of a choice, and their names. */
export type Options = readonly (readonly [string, string])[];

type Pointer = { type: string; id: string };

/** An item that a choice names by its type and id. */
export function pointerIn(fields: URLSearchParams, name: string): Pointer {
  const [type = '', id = ''] = (textIn(fields, name) ?? 'site-space:').split(':');
  return { type, id };
}

const apiNames: Record<string, string> = {
  'site-space': 'site-spaces',
  'site-section': 'sections',
  'site-section-group': 'section-groups',
};

/** The path of an item in the API. */
export function itemApi(params: Record<string, string>, { type, id }: Pointer): string {
  return `${siteApi(params)}/${apiNames[type] ?? 'site-spaces'}${apiPath`/${id}`}`;
}

/** The items directly below one. */
export function childrenOf(item: Item): readonly Item[] {
  if (item.object === 'site-section') return item.siteSpaces;
  return item.object === 'site-section-group' ? item.sections : [];
}

/** A text that is the same as long as the page of a structure shows the same. */
export function seenOf(items: readonly Item[]): string {
  return hash('sha256', JSON.stringify(items.map(shownOf)), 'base64url');
}

function shownOf(item: Item): unknown[] {
  const { object, id, title } = item;
  if (object === 'site-section-group') return [object, id, title, item.sections.map(shownOf)];
  const { path, default: isDefault } = item;
  return [object, id, title, path, isDefault, childrenOf(item).map(shownOf)];
}

/** All items as choices, with the titles of those above each. */
export function optionsOf(items: readonly Item[], above = ''): Options {
  return items.flatMap((item) => {
    const title = `${above}${item.title}`;
    return [[`${item.object}:${item.id}`, title] as const, ...optionsOf(childrenOf(item), `${title} / `)];
  });
}
