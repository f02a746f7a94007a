import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, it } from 'vitest';
import { createOpenApiDocument } from '../../apps/api/src/app.ts';
import { routes } from '../../apps/api/src/routes.ts';

// That docs/openapi.json is this document, test/house says.

type Operation = {
  operationId: string;
  summary?: string;
  tags?: string[];
  'x-permission'?: string;
  parameters: { name: string; in: string; description?: string; schema: object }[];
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>;
  requestBody?: object;
};

const document = createOpenApiDocument() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it('the OpenAPI document is valid', async () => {
  const api = await SwaggerParser.validate(structuredClone(document) as never);
  expect(Object.keys(api.paths ?? {})).toHaveLength(new Set(routes.map(({ path }) => path)).size);
});

it('describes every operation with a summary, a tag, a permission and its responses', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    routes.map(({ spec }) => spec.operationId).toSorted(),
  );
  for (const { operationId, summary, tags, responses, 'x-permission': permission } of operations) {
    expect(summary, operationId).toMatch(/^[A-Z].{8,}[^.]$/);
    expect(tags, operationId).toHaveLength(1);
    expect(permission, operationId).toBeTruthy();
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(statuses, operationId).not.toHaveLength(0);
    for (const status of statuses)
      if (status !== '204') expect(responses[status]?.content, `${operationId} ${status}`).toBeDefined();
    expect(responses['default'], operationId).toEqual({ $ref: '#/components/responses/Error' });
  }
});

it('declares the request body, the 304 and the X-Job-Id header of every operation that has them', () => {
  for (const { spec, method } of routes) {
    const operation = operations.find(({ operationId }) => operationId === spec.operationId);
    expect(operation?.requestBody !== undefined, spec.operationId).toBe(
      spec.body !== undefined || spec.accepts !== undefined,
    );
    if (spec.etag && method === 'get')
      expect(Object.keys(operation?.responses ?? {}), spec.operationId).toContain('304');
    if (spec.startsJob) expect(JSON.stringify(operation?.responses), spec.operationId).toContain('X-Job-Id');
  }
});

it('has no unused schema', () => {
  const text = JSON.stringify(document);
  for (const name of Object.keys(document.components.schemas))
    expect(text, name).toContain(`"#/components/schemas/${name}"`);
});
