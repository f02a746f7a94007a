import { documentLimits, jsonLimits, type Problem } from '@bindery/contract';
import type { SecretKeys } from '@bindery/runtime';
import type { Request } from 'express';
import { z } from 'zod';
import { scopeOf } from '../../permissions/tokenScope.ts';
import { readPageToken, type PageBinding } from '../answer/paging.ts';
import { readJson } from './requestBody.ts';
import type { Input, Route } from '../scope.ts';
import { invalidRequest, parsePart, parseQuery } from './validation.ts';

/** Bodies of size `large` may contain documents, those of size `specification` the text of one. */
const bodyLimits = {
  normal: { bytes: 1024 * 1024, ...jsonLimits },
  large: { bytes: 10 * 1024 * 1024, ...documentLimits },
  // A text of 32 MiB, of which JSON escapes quotes and line breaks.
  specification: { bytes: 48 * 1024 * 1024, ...jsonLimits },
};

/** Reads and validates query and body into `input`, and reports the problems of both in one error. */
export async function readInput(
  route: Route,
  input: Input,
  { request, secrets }: { request: Request; secrets: SecretKeys },
): Promise<void> {
  const { spec } = route;
  const problems: Problem[] = [];
  const body = takesBody(route) ? await readJson(request, bodyLimits[spec.bodySize ?? 'normal']) : undefined;
  if (spec.query) input.query = parsePart(spec.query, parseQuery(request.url), { part: 'query', problems });
  if (takesBody(route)) {
    // No body is the same as no fields.
    const parsed = parsePart(spec.body ?? fieldsOfNoBody(route), body ? body.value : {}, {
      part: 'body',
      problems,
    });
    if (spec.body) {
      input.body = parsed;
      input.bodyDigest = body?.digest;
    }
  }
  if (route.kind === 'list' && problems.length === 0) readPage(route, input, { secrets, problems });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The data that page tokens of this call are bound to. */
export function pageBinding(route: Route, input: Input): PageBinding {
  const { limit: _limit, after: _after, ...filters } = input.query as { limit: number; after?: unknown };
  const asked = input.body === undefined ? filters : { ...filters, body: input.body };
  return {
    operationId: route.spec.operationId,
    user: input.actor?.user.id,
    params: input.params,
    filters: asked,
  };
}

const anyFields = z.object({});
const noFields = z.strictObject({});

/**
 * Where no body is declared, unknown fields are ignored, except on administrative routes, where a caller
 * could believe that they change rights, lifetime or visibility.
 */
function fieldsOfNoBody(route: Route): z.ZodType {
  return scopeOf(route) === 'admin' ? noFields : anyFields;
}

/**
 * Routes without a body schema still reject a malformed body. Only `raw` routes may read the bytes
 * themselves.
 */
function takesBody({ spec, kind, method }: Route): boolean {
  return spec.body !== undefined || kind === 'delete' || (kind === 'operation' && method !== 'get');
}

/** Replaces the `page` token in a list's query by the cursor that it encodes. */
function readPage(
  route: Route,
  input: Input,
  { secrets, problems }: { secrets: SecretKeys; problems: Problem[] },
): void {
  const { page, ...query } = input.query as { page?: string; limit: number };
  input.query = query;
  if (page === undefined) return;
  const after = readPageToken(secrets, pageBinding(route, input), page);
  if (after) input.query = { ...query, after };
  else
    problems.push({
      path: 'query.page',
      message: 'is not a page of this list with these filters; start without it',
    });
}
