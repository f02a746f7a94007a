import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createOpenApiDocument } from '../../apps/api/src/app.ts';
import { compatibilityDocs } from '../../scripts/compatibility-docs.ts';
import { configDocs } from '../../scripts/config-docs.ts';
import { metricsDocs } from '../../scripts/metrics-docs.ts';
import { openApiDiffDocs } from '../../scripts/openapi-diff-docs.ts';
import { permissionDocs } from '../../scripts/permission-docs.ts';
import { smallerFonts } from '../../scripts/smaller-fonts.ts';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../../docs', file), 'utf8');

it('docs/compatibility.md is what npm run compatibility-docs writes', () => {
  expect(read('compatibility.md')).toBe(compatibilityDocs());
});

it('docs/configuration.md is what npm run config-docs writes', () => {
  expect(read('configuration.md')).toBe(configDocs());
});

it('docs/openapi.json is what npm run openapi writes', () => {
  expect(JSON.parse(read('openapi.json'))).toEqual(createOpenApiDocument());
});

it('docs/metrics.md is what npm run metrics-docs writes', () => {
  expect(read('metrics.md')).toBe(metricsDocs());
});

it('docs/permissions.md is what npm run permission-docs writes', () => {
  expect(read('permissions.md')).toBe(permissionDocs());
});

it('docs/openapi-diff.md has the rules that npm run openapi-diff-docs writes', () => {
  const document = read('openapi-diff.md');
  expect(document).toBe(openApiDiffDocs(document));
});

it('apps/site/src/fonts/smaller is what npm run smaller-fonts writes', async () => {
  const folder = resolve(import.meta.dirname, '../../apps/site/src/fonts/smaller');
  for (const [name, bytes] of await smallerFonts())
    expect(readFileSync(resolve(folder, name)).equals(bytes), name).toBe(true);
}, 60_000);
