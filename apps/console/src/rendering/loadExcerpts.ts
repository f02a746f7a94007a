import type { DocumentTree, OpenAPIExcerpts } from '@bindery/contract';
import { openapiBlocksIn } from '@bindery/dialect/openapi';
import type { RenderRequest } from '@bindery/render';
import { apiPath } from '@bindery/runtime';
import type { SessionApi } from '../api/api.ts';
import { ApiFailure } from '../api/apiFailure.ts';

/** The API reads no more blocks of a page; further ones are shown by method and path. */
const maxBlocks = 1_000;

/**
 * Loads what a document shows of specifications of its organization, as far as the user may view them.
 * Nothing for a token for single spaces, which reaches no organization, nor when the API cannot tell: then
 * the page shows operations by method and path.
 */
export async function loadExcerpts(
  document: DocumentTree,
  { api, signal, organization }: { api: SessionApi; signal: AbortSignal; organization: string },
): Promise<RenderRequest['specs']> {
  const blocks = openapiBlocksIn(document).slice(0, maxBlocks);
  if (blocks.length === 0) return new Map();
  const path = apiPath`/orgs/${organization}/openapi-excerpts`;
  const asked = api.send<OpenAPIExcerpts>({ method: 'POST', path, json: { blocks }, signal });
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status !== 401) return undefined;
    throw error;
  });
  return new Map(Object.entries(answer?.body.excerpts ?? {}));
}
