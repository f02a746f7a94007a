/** Each package but `worker` imports `worker`, which none may. */
const upwards = Object.fromEntries<[rule: string, source: string]>(
  [
    ...['archive', 'content', 'contract', 'dialect', 'document-diff', 'engines', 'exchange', 'git-remote'],
    ...['html', 'jobs', 'metrics', 'models', 'openapi', 'openapi-diff', 'outbound', 'pdf', 'publishing'],
    ...['render', 'runtime', 'sign-in', 'storage', 'tracing', 'translation'],
  ].map((name) => [`packages/${name}/src/upwards.ts`, [`layers-${name}`, `import '@bindery/worker';`]]),
);

/** Libraries with one owner, each imported by an app that is not. */
const ofOtherOwners = Object.fromEntries<[rule: string, source: string]>(
  [
    ...['express', 'helmet', '@bull-board/api', 'swagger-ui-dist', 'bullmq', 'mongoose', 'mongodb'],
    ...['@node-saml/node-saml', 'openid-client', '@aws-sdk/client-s3', '@smithy/core', 'pino', 'undici'],
    ...[
      'prom-client',
      '@opentelemetry/api',
      'ipaddr.js',
      'shiki',
      '@shikijs/core',
      'katex',
      'yauzl',
      'saxes',
    ],
    ...['isomorphic-git', 'acme-client', 'puppeteer', 'puppeteer-core', '@apidevtools/swagger-parser'],
    ...['@redocly/openapi-core', '@seriousme/openapi-schema-validator', 'ajv', 'js-yaml', 'swagger2openapi'],
  ].map((library) => [
    `apps/cli/src/owned/${nameOf(library)}.ts`,
    [`owner-${ruleOf(library)}`, `import '${library}';`],
  ]),
);

/** Of a rule about all packages of a scope, the scope; the name has only letters, digits and hyphens. */
function ruleOf(library: string): string {
  const [scope = '', name = ''] = library.split('/');
  return nameOf(scope === '@node-saml' || name === '' ? library : scope);
}

function nameOf(library: string): string {
  return library.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '');
}

/**
 * Files that must each be named by the import rules, with the rule that names them; an empty rule means that
 * the same is allowed there.
 */
export const forbiddenImports: Record<string, [rule: string, source: string]> = {
  ...upwards,
  ...ofOtherOwners,
  'packages/worker/src/upwards.ts': ['layers-worker', `import '@bindery/content';`],
  'packages/jobs/src/typesOnly.ts': [
    'layers-jobs',
    `import type { agent } from '@bindery/outbound';\nexport type Planted = typeof agent;`,
  ],
  'packages/jobs/src/upwards.ts': ['layers-jobs', `import '@bindery/worker';`],
  'packages/worker/src/http.ts': ['network-guarded', `import 'node:http';`],
  'packages/novelty/src/index.ts': ['layer-unknown', `import '@bindery/contract';`],
  'apps/api/src/otherApp.ts': ['app-to-app', `import '../../worker-git/src/main.ts';`],
  'apps/cli/src/otherApp.ts': ['app-to-app', `import '../../api/src/main.ts';`],
  'packages/contract/src/builtIn.ts': ['contract-zod-only', `import 'node:crypto';`],
  'packages/contract/src/library.ts': ['contract-zod-only', `import 'yaml';`],
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
  'packages/dialect/src/openapi/frontmatter.ts': ['dialect-openapi', `import '../frontmatter/syntax.ts';`],
  'packages/dialect/src/source/blocks.ts': ['dialect-source', `import '../blocks/document.ts';`],
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
  'apps/api/src/mongoose.ts': ['owner-mongoose', `export type { Model } from 'mongoose';`],
  'packages/jobs/src/ioredis.ts': ['owner-ioredis', `export const redis = await import('ioredis');`],
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
  'packages/jobs/src/tool.ts': ['runtime-dependency', `import 'typescript';`],
  'packages/translation/src/disk.ts': ['translation-pure', `import 'node:fs/promises';`],
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
