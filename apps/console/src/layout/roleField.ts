import type { Role } from '@bindery/contract';
import type { Html } from '@bindery/html';
import { textIn } from '../http/fields.ts';
import { choiceField } from './field.ts';

const roles = [
  ['admin', 'Admin: everything, also rights'],
  ['create', 'Create: also spaces, collections and sites'],
  ['review', 'Review: also merges change requests'],
  ['edit', 'Edit: changes content'],
  ['comment', 'Comment'],
  ['read', 'Read'],
] as const satisfies readonly (readonly [Role, string])[];

type Field = Parameters<typeof choiceField>[0];

/** A choice of a role. @param none  the name of having no role, if that can be chosen */
export function roleField(
  field: Field,
  {
    value,
    none,
    first = [],
  }: { value: string; none?: string; first?: readonly (readonly [string, string])[] },
): Html {
  const options = [...first, ...roles, ...(none === undefined ? [] : [['none', none] as const])];
  return choiceField(field, { options, value });
}

/** The value of a role in a choice. */
export function roleValue(role: string | null): string {
  return role ?? 'none';
}

/** The chosen role; null is none, undefined a field that is missing. */
export function roleIn(fields: URLSearchParams, name: string): string | null | undefined {
  const value = textIn(fields, name);
  return value === 'none' ? null : value;
}
