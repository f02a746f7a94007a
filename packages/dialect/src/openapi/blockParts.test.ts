import { expect, it } from 'vitest';
import { hasPart, partsOfBlock } from './blockParts.ts';
import { outlineOf } from './outline.ts';
import { openSpecification } from './specificationFile.ts';

const specification = {
  paths: {
    '/pets/': { get: {}, query: {}, put: { 'x-internal': true }, parameters: [] },
    '/a': { $ref: '#/components/pathItems/a' },
  },
  webhooks: { born: { post: {} } },
  components: { schemas: { Pet: {}, Hidden: { 'x-internal': true } }, pathItems: { a: { post: {} } } },
};
const outline = outlineOf(
  openSpecification(Buffer.from(JSON.stringify([{ isEntrypoint: true, specification }]))),
);

it('reports which of the parts that blocks name exist', () => {
  const found = (type: string, data: Record<string, unknown>) =>
    partsOfBlock({ type, data }).map((part) => hasPart(outline, part));
  const operation = (method: string, path: string) => found('openapi-operation', { method, path });
  expect(operation('GET', '/pets')).toEqual([true]);
  expect(operation('query', '/pets/')).toEqual([true]);
  expect(operation('put', '/pets')).toEqual([false]);
  expect(operation('parameters', '/pets')).toEqual([false]);
  expect(operation('post', '/a')).toEqual([true]);
  expect(operation('get', '/b')).toEqual([false]);
  expect(found('openapi-webhook', { method: 'post', name: 'born' })).toEqual([true]);
  expect(found('openapi-webhook', { method: 'get', name: 'born' })).toEqual([false]);
  expect(found('openapi-schemas', { schemas: ['Pet', 'Hidden', 'Gone', 'Pet', 5] })).toEqual([
    true,
    false,
    false,
  ]);
  expect(found('paragraph', {})).toEqual([]);
});
