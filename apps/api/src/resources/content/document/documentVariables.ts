import type { DocumentVariables } from '@bindery/dialect';
import type { PageItem, PageTree } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { presentVariables } from '../../../presenters/content.presenter.ts';

/** The variables that content on a page may use; without a page, those of the space. */
export function variablesOf(
  { variables }: RevisionRecord,
  page?: PageItem | PageTree,
): Required<DocumentVariables> {
  const ofPage = page?.type === 'document' ? page.variables : undefined;
  return { space: presentVariables(variables), page: presentVariables(ofPage ?? []) };
}
