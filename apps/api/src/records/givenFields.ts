import { compact } from '@bindery/runtime';

/**
 * The fields that a body gives, as `changeRecord` and `settingOf` take them: those that it lacks are absent
 * and stay as they are; null removes a field, so it becomes undefined.
 */
export function givenFields<T extends object>(body: T): { [K in keyof T]?: Exclude<T[K], null> } {
  const given = Object.entries(compact(body)).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], null> };
}

/** Makes an empty text null, for fields that are stored only with a text. */
export function noneIfEmpty<T extends string | null | undefined>(text: T): T | null {
  return text === '' ? null : text;
}

/** An update of MongoDB that sets the defined fields and removes the undefined ones. */
export function settingOf(fields: object): { $set?: object; $unset?: Record<string, 1> } {
  const undefinedNames = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? name : []));
  const set = compact(fields);
  return compact({
    $set: Object.keys(set).length > 0 ? set : undefined,
    $unset:
      undefinedNames.length > 0
        ? Object.fromEntries(undefinedNames.map((name) => [name, 1 as const]))
        : undefined,
  });
}
