import {
  ContentQuery,
  DocumentTree,
  Id,
  notFound,
  PageDocumentQuery,
  ReusableContent,
} from '@bindery/contract';
import { loadShownContent, readDocument } from '@bindery/publishing';
import { presentReusableContent } from '../../presenters/content.presenter.ts';
import type { ContentScope } from './content.scope.ts';
import { tagDocument } from './document/documentTag.ts';

/** Every kind of revision has these operations. Their ids are irregular, so they are parameters. */
export function reusableContentRoutes(place: ContentScope, ids: { content: string; document: string }) {
  const inReusableContent = place.scope({
    name: place.name,
    path: '/reusable-contents/:reusableContentId',
    params: { reusableContentId: Id },
    load: async ({ platform: { links }, content: { revision }, reader, params }) => {
      const { reusableContents } = await loadShownContent(revision, { links, reader });
      const reusableContent = reusableContents.find(({ id }) => id === params.reusableContentId);
      if (!reusableContent) throw notFound('reusable content', params.reusableContentId);
      return { reusableContent };
    },
    permissions: () => ({}),
  });

  return [
    inReusableContent.get(
      '',
      {
        operationId: ids.content,
        summary: 'Get a reusable content',
        permission: 'space.view',
        query: ContentQuery,
        response: ReusableContent,
        etag: true,
      },
      async ({ reusableContent, query }) => presentReusableContent(reusableContent, query),
    ),

    inReusableContent.get(
      '/document',
      {
        operationId: ids.document,
        summary: 'Get the document of a reusable content',
        permission: 'space.view',
        query: PageDocumentQuery,
        response: DocumentTree,
        etag: true,
      },
      async ({ platform: { links }, reusableContent, content: { revision }, reader, query, reply }) => {
        await tagDocument(reply, { reusableContent }, { links, revision, reader, query });
        return readDocument({ reusableContent }, { links, revision, reader, query });
      },
    ),
  ];
}
