import { writeFile } from 'node:fs/promises';
import { ErrorBody } from '@bindery/contract';
import type { z } from 'zod';
import { deprecationDocumentation } from '../answer/deprecation.ts';
import { mapDiscriminators, schemaWriter, type JsonSchema } from './openapiSchemas.ts';
import { isConditional } from '../precondition.ts';
import type { Route } from '../scope.ts';

/** Creates the OpenAPI 3.1 document of routes. Throws on schemas that cannot be expressed in it. */
export function openApiDocument(
  routes: readonly Route[],
  { title, version, description }: { title: string; version: string; description: string },
): object {
  const { render, components } = schemaWriter();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/[:*](\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, render) };
  }
  const schema = render(ErrorBody, 'output');
  const document = {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: '/v1' }],
    security: [{ token: [] }],
    tags: [...new Set(routes.flatMap(tagsOf))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: components,
      headers: commonHeaders,
      responses: {
        Error: {
          description: 'The error, and how to resolve it.',
          headers: errorHeaders,
          content: { 'application/json': { schema } },
        },
      },
    },
  };
  mapDiscriminators(document, components);
  return document;
}

/** Writes a document in its committed form. */
export async function writeOpenApiFile(document: object, path: string): Promise<void> {
  await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
}

type Render = ReturnType<typeof schemaWriter>['render'];

function operationOf(route: Route, render: Render): JsonSchema {
  const { spec } = route;
  return {
    operationId: spec.operationId,
    summary: spec.summary,
    description: spec.description || undefined,
    tags: tagsOf(route),
    deprecated: spec.deprecated ? true : undefined,
    security: route.admits === 'everyone' ? [] : undefined,
    'x-permission': spec.permission,
    parameters: [
      ...pathParameters(route),
      ...queryParameters(spec.query, render),
      ...headerParameters(route),
    ],
    ...requestBody(route, render),
    responses: { ...successes(route, render), default: { $ref: '#/components/responses/Error' } },
  };
}

function tagsOf({ spec, scopeName }: Route): readonly string[] {
  return spec.tags ?? [scopeName];
}

/** Path parameters are plain strings, because a malformed id gets 404 like one that does not exist. */
function pathParameters({ path }: Route): JsonSchema[] {
  return [...path.matchAll(/([:*])(\w+)/g)].map(([, kind, name]) => ({
    name,
    in: 'path',
    required: true,
    description: kind === '*' ? 'May contain slashes, and may be empty.' : undefined,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryParameters(query: z.ZodObject | undefined, render: Render): JsonSchema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = render(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name) || undefined,
    description,
    schema,
  }));
}

function headerParameters(route: Route): JsonSchema[] {
  const { spec, method } = route;
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  return [
    ...(spec.etag && method === 'get'
      ? [header('If-None-Match', 'The `ETag` of an earlier answer: 304 if it is still current.')]
      : []),
    ...(isConditional(route)
      ? [
          header(
            'If-Match',
            'The `ETag` of the nearest object in the path that has one: 412 if it has changed since.',
          ),
        ]
      : []),
    ...(spec.accepted
      ? [header('Prefer', '`respond-async`: if the result is not ready, 202 with its job, at once.')]
      : []),
    ...(spec.idempotent
      ? [
          header(
            'Idempotency-Key',
            'Within 24 hours, a request with the same key gets the answer of the first one and is not executed again.',
          ),
        ]
      : []),
  ];
}

function requestBody({ spec }: Route, render: Render): JsonSchema {
  if (spec.accepts)
    return {
      requestBody: {
        required: true,
        content: { [spec.accepts]: { schema: { type: 'string', format: 'binary' } } },
      },
    };
  if (!spec.body) return {};
  const required = !spec.body.safeParse({}).success;
  return {
    requestBody: { required, content: { 'application/json': { schema: render(spec.body, 'input') } } },
  };
}

function successes({ spec, method }: Route, render: Render): Record<string, JsonSchema> {
  const headers = {
    ...commonHeaderRefs,
    ...(spec.etag && { ETag: text('Version of the object.') }),
    ...(spec.startsJob && {
      'X-Job-Id': text('Id of the job that this started.'),
      Link: text('Where to follow the job, `rel="monitor"`.'),
    }),
    ...(spec.idempotent && {
      'Idempotency-Replayed': text('`true` when this is the answer of an earlier request with the same key.'),
    }),
    ...Object.fromEntries(
      Object.entries({ ...deprecationDocumentation(spec), ...spec.headers }).map(([name, description]) => [
        name,
        text(description),
      ]),
    ),
  };
  const moved = spec.redirect !== undefined && {
    307: {
      description: spec.redirect,
      headers: { ...commonHeaderRefs, Location: text('Relative to the URL of the request.') },
    },
  };
  const notModified = spec.etag &&
    method === 'get' && { 304: { description: 'The version of the caller is current.', headers } };
  if (spec.answers) {
    const answers = spec.answers.map(({ status, description, contentType, schema }) => [
      status,
      {
        description,
        headers,
        ...(contentType && {
          content: Object.fromEntries(
            [contentType]
              .flat()
              .map((type) => [type, { schema: schema ? render(schema, 'output') : anyContent(type) }]),
          ),
        }),
      },
    ]);
    return { ...Object.fromEntries(answers), ...notModified };
  }
  if (!spec.response) return { [spec.status ?? 204]: { description: 'Done.', headers } };
  const content = { 'application/json': { schema: render(spec.response, 'output') } };
  return {
    [spec.status ?? 200]: { description: spec.status === 201 ? 'Created.' : 'Done.', headers, content },
    ...(spec.accepted && {
      202: {
        description: 'The job that makes the result, for `Prefer: respond-async`.',
        headers: { ...headers, 'Preference-Applied': text('`respond-async`.') },
        content: { 'application/json': { schema: render(spec.accepted, 'output') } },
      },
    }),
    ...moved,
    ...notModified,
  };
}

/** Any JSON, or text. */
const anyContent = (type: string) => (type === 'application/json' ? {} : { type: 'string' });
const text = (description: string) => ({ description, schema: { type: 'string' } });
const whole = (description: string) => ({ description, schema: { type: 'integer' } });

const commonHeaders = {
  'X-Request-Id': text('Id of this request in the logs; the caller can set it.'),
  'X-RateLimit-Limit': whole('Points that this token has per minute; absent if rate limits are off.'),
  'X-RateLimit-Remaining': whole('Remaining points.'),
  'X-RateLimit-Reset': whole('When all points are restored, in epoch seconds.'),
};

const commonHeaderRefs = Object.fromEntries(
  Object.keys(commonHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const errorHeaders = {
  ...commonHeaderRefs,
  'Retry-After': whole('Seconds to wait; with 429 and 503.'),
  'WWW-Authenticate': text('With 401.'),
  Allow: text('With 405: the methods that this path supports.'),
};
