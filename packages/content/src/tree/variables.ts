import type { DocumentVariables } from '@bindery/dialect';
import type { RevisionRecord } from '@bindery/models';
import type { PageItem, PageTree } from '../store/items.ts';

/** The variables that content on a page may use; without a page, those of the space. */
export function variablesOf(
  { variables }: Pick<RevisionRecord, 'variables'>,
  page?: PageItem | PageTree,
): Required<DocumentVariables> {
  const ofPage = page?.type === 'document' ? page.variables : undefined;
  return { space: variableValues(variables), page: variableValues(ofPage ?? []) };
}

/** Omits the name `__proto__`, which objects cannot safely have as a key. */
export function variableValues(
  variables: RevisionRecord['variables'],
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    variables.filter(({ name }) => name !== '__proto__').map(({ name, value }) => [name, value]),
  );
}
