import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/**
 * Modules that children and threads import which read or write untrusted content. Loading them takes most of
 * the time of a small import.
 */
const faces = [
  '@bindery/content/export',
  '@bindery/content/import',
  '@bindery/dialect',
  '@bindery/dialect/frontmatter',
  '@bindery/dialect/links',
  '@bindery/dialect/page-source',
  '@bindery/dialect/repository-format',
  '@bindery/dialect/repository-reader',
  '@bindery/dialect/syntax',
  '@bindery/render',
  '@bindery/outbound',
  '@bindery/translation',
  // The whole work of a child or thread, without its channel.
  './apps/worker-git/src/child/readRepository.ts',
  './apps/worker-git/src/child/rehearse.ts',
  './apps/worker-git/src/child/writeRepository.ts',
  './apps/worker-git/src/wiki/gatherWiki.ts',
  './apps/worker-maintenance/src/import/gather.ts',
  './apps/worker-openapi/src/child/readSource.ts',
  './apps/worker-openapi/src/child/reviewDocuments.ts',
  './packages/content/src/parser-threads/threadFunctions.ts',
];

const heavy = ['zod', 'mongoose', 'mongodb', 'pino', 'ioredis', 'bullmq'];

/** The URLs of all modules that an import loads. */
function loadedBy(face: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
    await import(${JSON.stringify(face)});`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout.split('\n');
}

describe('the entry points for children and threads', () => {
  it.each(faces)('%s loads no schema, model, logger or store client', (face) => {
    const loaded = loadedBy(face);
    expect(loaded.length).toBeGreaterThan(5);
    expect(
      loaded.filter((url) => heavy.some((library) => url.includes(`/node_modules/${library}/`))),
    ).toEqual([]);
  });
});

it('a process without a bucket does not load the AWS SDK', () => {
  const loaded = loadedBy('@bindery/storage');
  expect(loaded.some((url) => url.includes('/node_modules/mongodb/'))).toBe(true);
  expect(loaded.filter((url) => /[/]node_modules[/]@(aws-sdk|smithy)[/]/.test(url))).toEqual([]);
});
