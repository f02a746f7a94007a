import { expect, it } from 'vitest';
import { readText } from '../../../test/support/specifications.ts';
import { lintRuleNames } from '@bindery/contract';
import { createConfig } from '@redocly/openapi-core';
import { judgeCompatibility, lintSpecification, prepareValidators } from './index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadValidator } from './check/validators.ts';

const document = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: { '/a/': { get: { responses: { '200': { description: 'OK' } } } } },
};
const bundle = JSON.stringify(document);

it('lints with the rules of Redocly, at the places of the bundle', async () => {
  const { findings, findingCount } = await lintSpecification(bundle);
  expect(findingCount).toBe(findings.length);
  const slash = findings.find(({ rule }) => rule === 'no-path-trailing-slash');
  expect(slash).toMatchObject({
    severity: 'error',
    pointer: '/paths/~1a~1',
    line: 1,
    column: bundle.indexOf('"/a/"') + 1,
  });
});

it('takes the severity of rules from its caller', async () => {
  const { findings } = await lintSpecification(bundle, {
    'no-path-trailing-slash': 'warning',
    'operation-operationId': 'off',
    'info-license': 'error',
  });
  const severities = Object.fromEntries(findings.map(({ rule, severity }) => [rule, severity]));
  expect(severities).toMatchObject({ 'no-path-trailing-slash': 'warning', 'info-license': 'error' });
  expect(severities).not.toHaveProperty('operation-operationId');
});

it('knows every rule of Redocly for OpenAPI documents by its name', async () => {
  const { rules } = await createConfig({ extends: ['all'] });
  const { oas2, oas3_0, oas3_1, oas3_2 } = rules;
  expect([...lintRuleNames].toSorted()).toEqual(
    Object.keys({ ...oas2, ...oas3_0, ...oas3_1, ...oas3_2 }).toSorted(),
  );
});

it('lints a bundle that still refers to files, without reading any', async () => {
  const { findings } = await lintSpecification(
    JSON.stringify({ ...document, components: { schemas: { A: { $ref: 'file:///etc/hostname' } } } }),
  );
  expect(findings.map(({ rule }) => rule)).toContain('no-unresolved-refs');
});

it('reports whether swagger-parser accepts a bundle, or why not, without naming a folder', async () => {
  expect(await judgeCompatibility(bundle)).toEqual({ isAccepted: true });
  const read = await readText({ ...document, paths: { '/a': { $ref: 'gone.yaml' } } });
  if (!read.isUsable) throw new Error('not usable');
  for (const refused of [
    JSON.stringify({ ...document, openapi: '3.2.0' }),
    JSON.stringify({ ...document, info: {} }),
    read.bundle,
  ]) {
    const verdict = await judgeCompatibility(refused);
    if (verdict.isAccepted) continue;
    expect(verdict.reason).not.toBe('');
    expect(verdict.reason).not.toContain(process.cwd());
  }
  expect(await judgeCompatibility(JSON.stringify({ ...document, info: {} }))).toMatchObject({
    isAccepted: false,
  });
});

it('loads compiled JSON schemas from a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-validators-'));
  try {
    await prepareValidators(folder);
    for (const minor of ['2.0', '3.0', '3.1', '3.2'] as const) {
      const validate = await loadValidator(minor, folder);
      expect(validate({}), minor).toBe(false);
      expect(validate.errors?.[0]?.schemaPath, minor).toMatch(/^validate\d+#/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
