import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHouse, type House } from './house.ts';

// Each check runs once over a small project that follows the rules, and once with everything below planted in
// it.

/**
 * Files that must each be named by the import rules, with the rule that names them. `file: [rule, imported]`.
 */
const forbiddenImports: Record<string, [rule: string, source: string]> = {
  'packages/contract/src/layer.ts': ['layers-contract', `import '@bindery/runtime';`],
  'packages/runtime/src/layer.ts': ['layers-runtime', `import '@bindery/models';`],
  'packages/models/src/layer.ts': ['layers-models', `import '@bindery/jobs';`],
  'packages/storage/src/layer.ts': ['layers-storage', `import '@bindery/content';`],
  'packages/outbound/src/layer.ts': ['layers-outbound', `import '@bindery/storage';`],
  'packages/pdf/src/layer.ts': ['layers-pdf', `import '@bindery/models';`],
  'packages/content/src/layer.ts': ['layers-content', `import '@bindery/jobs';`],
  'packages/jobs/src/layer.ts': ['layers-jobs', `import '@bindery/outbound';`],
  'packages/jobs/src/typesOnly.ts': [
    'layers-jobs',
    `import type { agent } from '@bindery/outbound';\nexport type Planted = typeof agent;`,
  ],
  'packages/worker/src/layer.ts': ['layers-worker', `import '@bindery/content';`],
  'packages/jobs/src/upwards.ts': ['layers-jobs', `import '@bindery/worker';`],
  'packages/worker/src/http.ts': ['network-guarded', `import 'node:http';`],
  'packages/novelty/src/index.ts': ['layer-unknown', `import '@bindery/contract';`],
  'apps/api/src/otherApp.ts': ['app-to-app', `import '../../worker-git/src/main.ts';`],
  'apps/cli/src/otherApp.ts': ['app-to-app', `import '../../api/src/main.ts';`],
  'packages/contract/src/builtIn.ts': ['contract-zod-only', `import 'node:crypto';`],
  'packages/contract/src/library.ts': ['contract-zod-only', `import 'yaml';`],
  'packages/dialect/src/layer.ts': ['layers-dialect', `import '@bindery/content';`],
  'packages/dialect/src/repository-format/disk.ts': ['dialect-pure', `import 'node:fs/promises';`],
  'packages/dialect/src/repository-format/database.ts': ['layers-dialect', `import '@bindery/models';`],
  'packages/dialect/src/repository-format/reader/read.ts': ['', `import '../schema.ts';`],
  'packages/dialect/src/repository-format/whole.ts': [
    'dialect-format-without-reader',
    `import './reader/read.ts';`,
  ],
  'packages/dialect/src/repository-format/schema.ts': ['without-schemas', `import '@bindery/contract';`],
  'packages/dialect/src/links/schemaType.ts': [
    '',
    `import type { Id } from '@bindery/contract';\nexport type Planted = typeof Id;`,
  ],
  'packages/dialect/src/syntax/face.ts': ['dialect-syntax', `import '../index.ts';`],
  'packages/dialect/src/condition/syntax.ts': ['dialect-condition', `import '../syntax/face.ts';`],
  'packages/dialect/src/frontmatter/syntax.ts': ['dialect-frontmatter', `import '../syntax/face.ts';`],
  'packages/dialect/src/links/tree.ts': ['dialect-links', `import '../tree/links.ts';`],
  'packages/dialect/src/tree/links.ts': ['dialect-tree', `import '../links/schemaType.ts';`],
  'packages/dialect/src/inline/blocks.ts': ['dialect-inline', `import '../blocks/document.ts';`],
  'packages/dialect/src/blocks/document.ts': ['dialect-blocks', `import '../document/format.ts';`],
  'packages/dialect/src/document/format.ts': ['dialect-document', `import '../repository-format/schema.ts';`],
  'packages/dialect/src/document/blocks.ts': ['', `import '../blocks/document.ts';`],
  'packages/dialect/src/page-source/links.ts': ['dialect-page-source', `import '../links/schemaType.ts';`],
  'packages/dialect/src/repository-format/tree.ts': [
    'dialect-repository-format',
    `import '../tree/links.ts';`,
  ],
  'packages/dialect/src/novelty/index.ts': ['dialect-folder-unknown', `import '../syntax/face.ts';`],
  'apps/worker-git/src/git/space.ts': ['git-knows-no-space', `import '@bindery/content';`],
  'apps/worker-git/src/git/sync.ts': ['git-knows-no-space', `import '../http.ts';`],
  'apps/worker-git/src/git/objects/tree.ts': ['', `export type Tree = never;`],
  'apps/worker-git/src/git/wire/tree.ts': ['git-wire-without-objects', `import '../objects/tree.ts';`],
  'apps/worker-git/src/child/store.ts': ['git-child-without-stores', `import '@bindery/models';`],
  'apps/api/src/intoPackage.ts': ['package-by-name', `import '../../../packages/runtime/src/index.ts';`],
  'apps/api/src/subpath.ts': ['resolvable', `import '@bindery/runtime/src/index.ts';`],
  'apps/api/src/missing.ts': ['resolvable', `import './isNotThere.ts';`],
  'apps/api/src/express.test.ts': ['', `import 'mongoose';\nimport 'node:http';`],
  'apps/worker-git/src/express.ts': ['owner-express', `import 'express';`],
  'apps/api/src/bullmq.ts': ['owner-bullmq', `import 'bullmq';`],
  'apps/api/src/mongoose.ts': ['owner-mongoose', `export type { Model } from 'mongoose';`],
  'packages/models/src/mongodb.ts': ['owner-mongodb', `import 'mongodb';`],
  'packages/jobs/src/ioredis.ts': ['owner-ioredis', `export const redis = await import('ioredis');`],
  'apps/api/src/pino.ts': ['owner-pino', `import 'pino';`],
  'apps/worker-git/src/undici.ts': ['owner-undici', `import 'undici';`],
  'apps/cli/src/board.ts': ['owner-bull-board', `import '@bull-board/api';`],
  'apps/worker-git/src/http.ts': ['network-guarded', `import 'node:https';`],
  'packages/content/src/net.ts': ['network-guarded', `import 'net';`],
  'packages/storage/src/dns.ts': ['network-guarded', `import 'node:dns/promises';`],
  // The import of types beside it must not hide the other one.
  'packages/runtime/src/both.ts': [
    'network-guarded',
    `import type { Server } from 'node:http';\nimport { request } from 'node:http';\nexport type { Server, request };`,
  ],
  'apps/api/src/fromTests.ts': ['sources-without-tests', `import '../../../test/helper.ts';`],
  'apps/api/src/cycleA.ts': ['no-cycles', `import './cycleB.ts';`],
  'apps/worker-git/src/undeclared.ts': ['declared', `import 'yaml';`],
  'apps/api/src/records/upwards.ts': ['api-ground-floor', `import '../resources/one/first.ts';`],
  'apps/api/src/http/upwards.ts': ['api-ground-floor', `import '../resources/one/first.ts';`],
  // Two files of each, so that no file imports itself through the other.
  'apps/api/src/resources/one/first.ts': ['', `export {};`],
  'apps/api/src/resources/one/second.ts': ['resources-one-way', `import '../two/first.ts';`],
  'apps/api/src/resources/two/first.ts': ['', `export {};`],
  'apps/api/src/resources/two/second.ts': ['resources-one-way', `import '../one/first.ts';`],
  'apps/api/src/resources/three/first.ts': ['', `import '../one/first.ts';`],
  // A circle of three folders; the second files keep the files themselves out of it.
  'packages/models/src/one/first.ts': ['', `export {};`],
  'packages/models/src/one/second.ts': ['folders-without-circles', `import '../two/first.ts';`],
  'packages/models/src/two/first.ts': ['', `export {};`],
  'packages/models/src/two/second.ts': ['folders-without-circles', `import '../three/first.ts';`],
  'packages/models/src/three/first.ts': ['', `export {};`],
  'packages/models/src/three/second.ts': ['folders-without-circles', `import '../one/first.ts';`],
  'packages/models/src/four/first.ts': ['', `import '../one/first.ts';`],
  'packages/contract/src/one/first.ts': ['', `export {};`],
  'packages/contract/src/one/second.ts': ['folders-without-circles', `import '../two/first.ts';`],
  'packages/contract/src/two/first.ts': ['', `export {};`],
  'packages/contract/src/two/second.ts': ['folders-without-circles', `import '../one/first.ts';`],
  'test/support/apiServer.ts': ['', `export const startApi = () => {};`],
  'test/support/it.ts': ['', `export { startApi } from './apiServer.ts';`],
  'test/house/shared.test.ts': ['pure-without-stores', `import '../support/it.ts';`],
  'packages/runtime/src/shared.test.ts': [
    'pure-without-stores',
    `import '../../../test/support/apiServer.ts';`,
  ],
  'test/api/shared.test.ts': ['', `import '../support/it.ts';`],
  'test/helper.ts': ['', `import 'mongoose';\nimport '../apps/api/src/main.ts';`],
};

/**
 * Files that must each be named by oxlint with a rule; an empty rule means that the same is allowed there.
 */
const lintErrors: Record<string, [rule: string, source: string]> = {
  'apps/api/src/floating.ts': ['no-floating-promises', `async function work() {}\nwork();`],
  'apps/api/src/misused.ts': ['no-misused-promises', `[1].forEach(async () => {});`],
  'apps/api/src/any.ts': ['no-explicit-any', `export const anything: any = 1;`],
  'apps/api/src/importType.ts': ['consistent-type-imports', `export type App = import('express').Express;`],
  'apps/api/src/ending.ts': ['no-restricted-imports', `import '../src/main.js';`],
  'test/ending.ts': ['no-restricted-imports', `import './helper.js';`],
  'apps/api/src/env.ts': ['no-restricted-properties', `export const port = process.env.PORT;`],
  'packages/jobs/src/env.ts': [
    'no-restricted-properties',
    `const { env } = process;\nexport const port = env.PORT;`,
  ],
  'packages/runtime/src/env.ts': ['', `export const port = process.env.PORT;`],
  'apps/api/src/process.ts': [
    'no-restricted-imports',
    `import { env } from 'node:process';\nexport const port = env.PORT;`,
  ],
  'apps/api/src/fetch.ts': ['no-restricted-globals', `export const get = fetch;`],
  'packages/content/src/fetch.ts': ['no-restricted-globals', `export const get = globalThis.fetch;`],
  'apps/cli/src/fetch.ts': ['', `export const get = fetch;`],
  'apps/api/src/socket.ts': [
    'no-restricted-globals',
    `export const open = () => new WebSocket('ws://[::1]');`,
  ],
  'apps/api/src/console.ts': ['no-console', `console.log('hello');`],
  'apps/api/src/default.ts': ['no-default-export', `export default 1;`],
  'apps/api/src/nested.ts': [
    'no-nested-ternary',
    `export const sign = (n: number) => (n > 0 ? 'plus' : n < 0 ? 'minus' : 'zero');`,
  ],
  'apps/api/src/swallowed.ts': [
    'preserve-caught-error',
    `try {\n  JSON.parse('');\n} catch {\n  throw new Error('bad');\n}\ntry {\n  JSON.parse('');\n} catch (error) {\n  throw new Error(\`bad\`);\n}`,
  ],
  'apps/api/src/focused.test.ts': [
    'no-focused-tests',
    `import { it } from 'vitest';\nit.only('runs alone', () => {});`,
  ],
  'apps/api/src/skipped.test.ts': [
    'no-disabled-tests',
    `import { it } from 'vitest';\nit.skip('never runs', () => {});`,
  ],
};

/** A folder of one file too many; tests do not count. */
const flatFolder = Object.fromEntries(
  Array.from({ length: 26 }, (_, n) => [
    [`packages/storage/src/flat/file${n}.ts`, `export {};\n`],
    [`packages/storage/src/flat/file${n}.test.ts`, `export {};\n`],
  ]).flat(),
);
/** One that is just small enough. */
const fullFolder = Object.fromEntries(
  Array.from({ length: 25 }, (_, n) => [
    [`packages/storage/src/full/file${n}.ts`, `export {};\n`],
    [`packages/storage/src/full/file${n}.test.ts`, `export {};\n`],
  ]).flat(),
);

const others = {
  ...flatFolder,
  ...fullFolder,
  'apps/api/src/cycleB.ts': `import './cycleA.ts';\n`,
  'apps/api/src/unused.ts': `export const nobody = 1;\n`,
  'packages/models/src/index.ts': `import mongoose from 'mongoose';\n\nexport const Space = mongoose.model('Space', new mongoose.Schema({}));\nexport const unusedFace = 1;\n`,
  'packages/jobs/package.json': `{ "name": "@bindery/jobs", "private": true, "exports": "./src/index.ts", "dependencies": { "yaml": "1.0.0" } }\n`,
  'apps/api/src/enum.ts': `export enum Colour {\n  Red,\n}\n`,
  'apps/api/src/type.ts': `export const text: string = 1;\n`,
  'apps/api/src/wide.ts': `// ${'wide '.repeat(23)}.\nexport {};\n`,
  'docs/wide.md': `${'wide '.repeat(23)}end.\n`,
  'apps/api/src/headless.ts': `// What is this for?\n// It sends. What cannot be sent is kept.\n/** Who may send. */\nexport {};\n`,
  'docs/headless.md': `# What is sent\n\n- So many texts are sent.\n\nText: what is kept.\n`,
  'apps/api/src/layout.ts': `export const   layout = "off"\n`,
};

/** All checks together take ten seconds, and a busy machine has taken more than a minute. */
const checksMs = 300_000;

let house: House;
beforeAll(() => {
  house = buildHouse();
});
afterAll(() => house.remove());

describe('a project that follows the rules', () => {
  it(
    'passes every check',
    () => {
      const { status, output } = house.run('node scripts/check.ts');
      expect(output).toContain('all checks passed');
      expect(status).toBe(0);
    },
    checksMs,
  );

  it('does not pass when dependency-cruiser reads only a part of it', () => {
    // Here a part of the tree is hidden from it; without its parser it is all of it.
    const rules = '.dependency-cruiser.cjs';
    const blind = house.run(
      `cp ${rules} kept && sed -i "s#'/fixtures/'#'/models/'#" ${rules} && node scripts/lint-imports.ts; code=$?; mv kept ${rules}; exit $code`,
    );
    expect(blind.output).toContain('source files were not read');
    expect(blind.status).toBe(1);
  });
});

describe('a project that breaks the rules', () => {
  const checks = [
    'format:check',
    'lint:lockfile',
    'lint:imports',
    'lint:folders',
    'lint:lines',
    'lint:unused',
    'lint',
    'typecheck',
  ];
  const outputs: Record<string, string> = {};
  const statuses: Record<string, number | null> = {};
  beforeAll(() => {
    for (const [file, [, source]] of Object.entries({ ...forbiddenImports, ...lintErrors }))
      house.write({ [file]: `${source}\n` });
    house.write(others);
    for (const check of checks) {
      const { status, output } = house.run(
        `npm run --silent ${check} ${check === 'lint' ? '-- --format=unix' : ''}`,
      );
      outputs[check] = output;
      statuses[check] = status;
    }
  }, checksMs);

  it.each(checks)('fails %s', (check) => {
    expect(statuses[check], outputs[check]).toBeGreaterThan(0);
  });

  it.each(Object.entries(forbiddenImports))('import rules: %s', (file, [rule]) => {
    const lines = (outputs['lint:imports'] ?? '').split('\n');
    const named = lines.flatMap((line, index) =>
      line.startsWith(`${file} ->`) ? [lines[index + 1]?.trim().split(':')[0]] : [],
    );
    if (rule === '') expect(named).toEqual([]);
    else expect(named).toContain(rule);
  });

  it.each(Object.entries(lintErrors))('oxlint: %s', (file, [rule]) => {
    const lines = (outputs.lint ?? '').split('\n').filter((line) => line.startsWith(`${file}:`));
    if (rule === '') expect(lines).toEqual([]);
    else expect(lines.join('\n')).toContain(`(${rule})`);
  });

  it.each([
    ['lint:unused', /apps\/api\/src\/unused\.ts/],
    ['lint:unused', /unusedFace .*packages\/models\/src\/index\.ts/],
    ['lint:unused', /yaml .*packages\/jobs\/package\.json/],
    ['lint:lines', /apps\/api\/src\/wide\.ts:1: 119 characters, at most 110/],
    ['lint:lines', /docs\/wide\.md:1: 119 characters, at most 110/],
    ['lint:lines', /apps\/api\/src\/headless\.ts:2: begin the sentence with a noun or a verb/],
    ['lint:lines', /apps\/api\/src\/headless\.ts:3: begin the sentence/],
    ['lint:lines', /docs\/headless\.md:3: begin the sentence/],
    ['lint:folders', /packages\/storage\/src\/flat has 26 source files, at most 25/],
    ['lint:lockfile', /dependencies of packages\/jobs differ/],
    ['format:check', /apps\/api\/src\/layout\.ts/],
    ['typecheck', /apps\/api\/src\/enum\.ts.*TS1294/],
    ['typecheck', /apps\/api\/src\/type\.ts.*TS2322/],
  ])('%s finds %s', (check, expected) => {
    expect(outputs[check]).toMatch(expected);
  });

  it('lint:lines accepts questions and headings that begin with What', () => {
    expect(outputs['lint:lines']).not.toMatch(/headless\.(?:ts|md):(?:1|5):/);
  });

  it('lint:folders counts neither tests nor folders that are small enough', () => {
    expect(outputs['lint:folders']).not.toContain('/full');
  });
});
