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

it('docs/compatibility.md is the output of npm run compatibility-docs', () => {
  expect(read('compatibility.md')).toBe(compatibilityDocs());
});

it('docs/configuration.md is the output of npm run config-docs', () => {
  expect(read('configuration.md')).toBe(configDocs());
});

it('docs/openapi.json is the output of npm run openapi', () => {
  expect(JSON.parse(read('openapi.json'))).toEqual(createOpenApiDocument());
});

it('docs/metrics.md is the output of npm run metrics-docs', () => {
  expect(read('metrics.md')).toBe(metricsDocs());
});

it('docs/permissions.md is the output of npm run permission-docs', () => {
  expect(read('permissions.md')).toBe(permissionDocs());
});

it('docs/openapi-diff.md has the rules in the output of npm run openapi-diff-docs', () => {
  const document = read('openapi-diff.md');
  expect(document).toBe(openApiDiffDocs(document));
});

it('apps/site/src/fonts/smaller is the output of npm run smaller-fonts', async () => {
  const folder = resolve(import.meta.dirname, '../../apps/site/src/fonts/smaller');
  for (const [name, bytes] of await smallerFonts())
    expect(readFileSync(resolve(folder, name)).equals(bytes), name).toBe(true);
}, 60_000);
