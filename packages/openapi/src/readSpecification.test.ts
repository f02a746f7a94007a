import { expect, it } from 'vitest';
import { readSpecification } from './readSpecification.ts';

const loadFile = () => Promise.reject(new Error('no other file'));

function read(text: string) {
  return readSpecification(
    { url: 'https://api.example/openapi.yaml', bytes: Buffer.from(text) },
    { loadFile },
  );
}

it('reads a document of JSON and one of YAML alike', async () => {
  const json = await read('{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{"get":{}}}}');
  const yaml = await read(
    'openapi: 3.1.0\ninfo:\n  title: A\n  version: "1"\npaths:\n  /a:\n    get: {} # none\n',
  );
  if (!json.isUsable || !yaml.isUsable) throw new Error('not usable');

  expect(yaml.contentHash).toBe(json.contentHash);
  expect([json.format, yaml.format]).toEqual(['json', 'yaml']);
  expect(json.index.operations).toEqual([{ path: '/a', method: 'get', tags: [], deprecated: false }]);
});
