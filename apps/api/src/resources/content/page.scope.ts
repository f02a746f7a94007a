import { ApiError, Id, notFound } from '@bindery/contract';
import { loadShownPages } from '@bindery/publishing';
import type { ContentScope } from './content.scope.ts';

/** The pages of a content, by id. */
export function inPageOf(place: ContentScope) {
  return place.scope({
    name: place.name,
    path: '/page/:pageId',
    params: { pageId: Id },
    load: async ({ content: { revision }, reader, params }) => {
      const found = (await loadShownPages(revision, reader)).byId.get(params.pageId);
      if (!found) throw notFound('page', params.pageId);
      return { found };
    },
    permissions: () => ({}),
  });
}

/** @throws not_found for a page without a document */
export function requireDocument<P extends { type: string }>(
  page: P,
): asserts page is Extract<P, { type: 'document' }> {
  if (page.type !== 'document')
    throw new ApiError('not_found', `This page is a ${page.type} and has no document.`);
}
