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
  '@bindery/translation',
];

const heavy = ['zod', 'mongoose', 'mongodb', 'pino', 'ioredis', 'bullmq'];

describe('the faces for children and threads', () => {
  it.each(faces)('%s loads no schema, model, logger or store client', (face) => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
      await import(${JSON.stringify(face)});`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    const loaded = stdout.split('\n');
    expect(loaded.length).toBeGreaterThan(5);
    expect(
      loaded.filter((url) => heavy.some((library) => url.includes(`/node_modules/${library}/`))),
    ).toEqual([]);
  });
});
