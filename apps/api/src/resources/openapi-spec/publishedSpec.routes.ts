import { hash } from 'node:crypto';
import { Id, notFound } from '@bindery/contract';
import {
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import type { BlobStore } from '@bindery/storage';
import type { Request, Response } from 'express';
import { isKnown } from '../../http/answer/reply.ts';
import { swaggerUiPage, swaggerUiPolicy } from '../../http/document/swaggerUi.ts';
import { open } from '../../http/scope.ts';
import { sendBlob } from '../file/sendBlob.ts';
import { documentName } from './openapiSpec.presenter.ts';

const ofEveryone = { permission: 'public', tags: ['OpenAPI specification'], params: { specId: Id } } as const;

const page = swaggerUiPage({
  title: 'API reference',
  root: '../../../',
  document: 'openapi.json',
  isReadOnly: true,
});
const pageTag = hash('sha256', page, 'base64url');

/** Serves the latest version of public specifications to everyone, in several forms. */
export const publishedSpecRoutes = [
  open.raw(
    'get',
    '/openapi/:specId',
    {
      operationId: 'getPublishedOpenAPISpec',
      summary: 'Download the latest version of a public API specification',
      ...ofEveryone,
      answers: [
        {
          status: 200,
          description: 'The document as it was received, JSON or YAML.',
          contentType: ['application/json', 'application/yaml'],
        },
      ],
    },
    async ({ platform: { blobs }, params: { specId } }, request, response) =>
      sendPublished(request, response, { blobs, specId }, (version, spec) => ({
        blob: version.document.blob,
        name: documentName(spec, version),
      })),
  ),

  open.raw(
    'get',
    '/openapi/:specId/openapi.json',
    {
      operationId: 'getPublishedOpenAPISpecJSON',
      summary: 'Download the latest version of a public API specification as JSON',
      ...ofEveryone,
      answers: [
        {
          status: 200,
          description: 'One document with the content of all files.',
          contentType: 'application/json',
        },
      ],
    },
    async ({ platform: { blobs }, params: { specId } }, request, response) =>
      sendPublished(request, response, { blobs, specId }, ({ bundle }, { slug }) => ({
        blob: bundle.blob,
        name: `${slug}.json`,
      })),
  ),

  open.raw(
    'get',
    '/openapi/:specId/openapi.yaml',
    {
      operationId: 'getPublishedOpenAPISpecYAML',
      summary: 'Download the latest version of a public API specification as YAML',
      ...ofEveryone,
      answers: [
        {
          status: 200,
          description: 'One document with the content of all files.',
          contentType: 'application/yaml',
        },
      ],
    },
    async ({ platform: { blobs }, params: { specId } }, request, response) =>
      // JSON is YAML, too.
      sendPublished(request, response, { blobs, specId }, ({ yaml, bundle }, { slug }) => ({
        blob: (yaml ?? bundle).blob,
        name: `${slug}.yaml`,
      })),
  ),

  open.raw(
    'get',
    '/openapi/:specId/reference',
    {
      operationId: 'getPublishedOpenAPISpecReference',
      summary: 'Show the latest version of a public API specification as a page',
      ...ofEveryone,
      answers: [
        { status: 200, description: 'A page that loads nothing from other hosts.', contentType: 'text/html' },
      ],
    },
    async ({ params: { specId } }, request, response) => {
      await findPublished(specId);
      response.set({
        'Content-Security-Policy': `${swaggerUiPolicy}; ${sandbox}`,
        'Cache-Control': 'public, no-cache',
        ETag: `"${pageTag}"`,
      });
      if (isKnown(request, pageTag)) response.status(304).end();
      else response.type('html').send(page);
    },
  ),
];

/** Keeps the page of a stranger's specification apart from all other pages and cookies of this origin. */
const sandbox = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** @throws not_found for a specification that is private or deleted, or has no version yet */
async function findPublished(
  specId: string,
): Promise<{ spec: OpenAPISpecRecord; version: OpenAPISpecVersionRecord }> {
  const spec = await OpenAPISpec.findOne({ _id: specId, visibility: 'public' }).lean<OpenAPISpecRecord>();
  const version =
    spec?.lastVersion &&
    (await OpenAPISpecVersion.findById(spec.lastVersion).lean<OpenAPISpecVersionRecord>());
  if (!version) throw notFound('public specification', specId);
  return { spec, version };
}

async function sendPublished(
  request: Request,
  response: Response,
  { blobs, specId }: { blobs: BlobStore; specId: string },
  chosen: (version: OpenAPISpecVersionRecord, spec: OpenAPISpecRecord) => { blob: string; name: string },
): Promise<void> {
  // Pages and tools of any origin may read it: it is public, and the answer depends on no cookie.
  response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' });
  const { spec, version } = await findPublished(specId);
  const isSent = await sendBlob(request, response, {
    blobs,
    organization: spec.organization,
    ...chosen(version, spec),
    cacheControl: 'public, no-cache',
  });
  if (!isSent) throw notFound('public specification', specId);
}
