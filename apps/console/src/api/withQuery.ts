import { apiPath } from '@bindery/runtime';

/** A path of the API with parameters; those that are undefined are left out. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  return `${path}${apiPath`${parameters}`}`;
}
