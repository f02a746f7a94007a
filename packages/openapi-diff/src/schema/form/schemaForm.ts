import { asNode, type Located } from '../../engine/document.ts';
import { member, pointerStep, type JsonObject } from '../../engine/json.ts';

/** A schema in the one form that is compared, whatever way its document spells it. */
export type SchemaForm = {
  /** Its keywords, with the parts of `allOf` merged. */
  node: JsonObject;
  pointer: string;
  /** For merged schemas, where each keyword (`/enum`) and property (`/properties/name`) comes from. */
  homes?: ReadonlyMap<string, string>;
  /** Types other than null, sorted; undefined where any type is allowed. */
  types: readonly string[] | undefined;
  isNullable: boolean;
  /** Values other than null of `enum` or `const`. */
  values: readonly unknown[] | undefined;
};

/** The pointer of the schema that has a keyword: this one, or a part of its `allOf`. */
export function homeOf(form: SchemaForm, keyword: string): string {
  return form.homes?.get(pointerStep(keyword)) ?? form.pointer;
}

/** A schema inside of this one: `items`, or a member of `properties`. */
export function schemaIn(form: SchemaForm, keyword: string, name?: string): Located {
  const node =
    name === undefined ? form.node[keyword] : member(Object(form.node[keyword]) as JsonObject, name);
  return { node: asNode(node), pointer: pointerOf(form, keyword, name) };
}

function pointerOf(form: SchemaForm, keyword: string, name: string | undefined): string {
  const step = pointerStep(keyword);
  if (name === undefined) return homeOf(form, keyword) + step;
  const path = step + pointerStep(name);
  return form.homes?.get(path) ?? homeOf(form, keyword) + path;
}

/** True for a schema that allows every value. */
export function isOpen({ node, types, values }: SchemaForm): boolean {
  if (types !== undefined || values !== undefined) return false;
  return Object.keys(node).every((keyword) => isRemark(keyword) || keyword === 'nullable');
}

/** True for a schema whose values satisfy one of several schemas. */
export function hasAlternatives({ node }: SchemaForm): boolean {
  return Array.isArray(node['oneOf']) || Array.isArray(node['anyOf']);
}

/** Keywords that restrict no value. */
export function isRemark(keyword: string): boolean {
  return remarks.has(keyword) || keyword.startsWith('x-');
}

const remarks = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'summary',
  'title',
  'xml',
]);
