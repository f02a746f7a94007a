import {
  ComputedRevision,
  ComputeDocument,
  ComputeRevision,
  DocumentSchemaQuery,
  DocumentTree,
  Id,
  notFound,
} from '@bindery/contract';
import { readDocument } from '@bindery/publishing';
import { inReadableSpace } from '../space/space.scope.ts';
import { computeDocument } from './document/computeDocument.ts';
import { computeRevision } from './computeRevision.ts';
import { inMainContent } from './content.scope.ts';
import { tagDocument } from './document/documentTag.ts';
import { locateDocument } from './document/locateDocument.ts';

const computing =
  'Computes pages of API specifications, from the latest version. Answers 412 for translations and for content of integrations.';

/** Documents by their id, and computed documents and revisions. */
export const documentRoutes = [
  inReadableSpace.get(
    '/documents/:documentId',
    {
      operationId: 'getDocumentById',
      summary: 'Get a document of a space by its id',
      description:
        'The `documentId` of a page, or the `document` of a reusable content, in the main content or in one of the last hundred ' +
        'revisions. References resolve within the revision that contains it.',
      permission: 'space.view',
      params: { documentId: Id },
      query: DocumentSchemaQuery,
      response: DocumentTree,
      etag: true,
    },
    async ({ platform: { links }, space, reader, params, reply }) => {
      const found = await locateDocument(space, { links, documentId: params.documentId, reader });
      if (!found) throw notFound('document', params.documentId);
      const { owner, revision } = found;
      const reading = {
        links,
        revision,
        reader,
        query: { evaluated: 'false', dereferenced: 'false' } as const,
      };
      await tagDocument(reply, owner, reading);
      return readDocument(owner, reading);
    },
  ),

  inMainContent.post(
    '/computed/document',
    {
      operationId: 'getComputedDocument',
      summary: 'Compute the document of a computed page',
      description: computing,
      permission: 'space.view',
      query: DocumentSchemaQuery,
      body: ComputeDocument,
      response: DocumentTree,
    },
    async ({ platform, organization, reader, body }) =>
      computeDocument(body.source, { platform, organization, reader }),
  ),

  inMainContent.post(
    '/computed/revision',
    {
      operationId: 'getComputedRevision',
      summary: 'Compute the pages of a computed page',
      description: computing,
      permission: 'space.view',
      body: ComputeRevision,
      response: ComputedRevision,
    },
    async ({ platform, organization, space, reader, body }) =>
      computeRevision(body, { platform, organization, space, reader }),
  ),
];
