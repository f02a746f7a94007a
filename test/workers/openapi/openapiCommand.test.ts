import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { describe, expect } from 'vitest';
import { it as base, petstore } from '../../support/openapi/specs.ts';

const main = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts');

type Ended = { code: number; stdout: string; stderr: string };

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-openapi-command-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('write', ({ folder }) => async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return name;
  })
  .extend('bindery', ({ api, creator, folder, worker: _started }) => async (...args: string[]) => {
    const env = { ...process.env, BINDERY_API_URL: api.origin, BINDERY_TOKEN: creator.token };
    return new Promise<Ended>((done) => {
      execFile(process.execPath, [main, 'openapi', ...args], { env, cwd: folder }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  });

const required = { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } };
const stricter = petstore({
  '/pets': { get: { parameters: [required], responses: { 200: { description: 'All.' } } } },
});

describe('bindery openapi publish', () => {
  it('publishes a file, with the files that it refers to as one document', async ({
    organization,
    write,
    bindery,
    call,
  }) => {
    await write('pet.yaml', 'type: object\nproperties: {name: {type: string}}\n');
    const schema = { $ref: 'pet.yaml' };
    const content = { 'application/json': { schema } };
    const file = await write(
      'api.json',
      petstore({ '/cats': { get: { responses: { 200: { description: 'A cat.', content } } } } }),
    );
    const { code, stdout, stderr } = await bindery(
      'publish',
      'from-file',
      file,
      '--organization',
      organization._id,
    );
    expect([code, stdout], stderr).toEqual([
      0,
      expect.stringContaining('2 operations, 0 webhooks, 1 schemas'),
    ]);
    expect((await call('GET', 'from-file/versions/latest')).body.counts.schemas).toBe(1);
  });

  it('publishes a URL, and reports why no version was made', async ({ organization, server, bindery }) => {
    server.put('/good.json', { type: 'application/json', body: petstore() });
    server.put('/page.html', { type: 'text/html', body: '<!doctype html><p>No specification.' });
    const to = ['--organization', organization._id];
    expect(await bindery('publish', 'from-url', `${server.origin}/good.json`, ...to)).toMatchObject({
      code: 0,
    });
    const { code, stderr } = await bindery('publish', 'from-url', `${server.origin}/page.html`, ...to);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/PARSE_ERROR[^]*HTML/)]);
  });

  it('names the missing or invalid argument', async ({ bindery, write }) => {
    const broken = await write('broken.yaml', 'a: [');
    for (const [args, words] of [
      [[], 'needs a slug'],
      [['pets', 'absent.json', '--organization', 'o'], 'absent.json cannot be read'],
      [['pets', broken, '--organization', 'o'], 'not a specification'],
      [['pets', 'https://specs.example.org/a.json', '--organization', 'absent'], 'organization'],
    ] as const)
      expect(await bindery('publish', ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(words),
      });
  });
});

describe('bindery openapi diff', () => {
  it('compares files, and fails on breaking changes only on request', async ({ write, bindery }) => {
    const files = [await write('before.json', petstore()), await write('after.json', stricter)];
    expect(await bindery('diff', ...files)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('GET /pets: error: '),
    });
    expect(await bindery('diff', ...files, '--fail-on-breaking')).toMatchObject({ code: 1 });
    expect(await bindery('diff', ...files.toReversed(), '--fail-on-breaking')).toMatchObject({ code: 0 });
    const { stdout: github } = await bindery('diff', ...files, '--format', 'github');
    expect(github).toMatch(/^::error title=GET \/pets%3A parameter-added-required::/m);
    const { stdout: junit } = await bindery('diff', ...files, '--format', 'junit');
    expect(junit).toMatch(/<testsuite name="[^"]+" tests="\d+" failures="1">/);
    const { stdout: markdown } = await bindery('diff', ...files, '--format', 'markdown');
    expect(markdown).toMatch(/^# before\\?\.json to after\\?\.json\n\n1 breaking change/);
  });

  it('compares the published version with a file', async ({ organization, put, write, bindery }) => {
    await put('compared', { text: petstore() });
    const file = await write('next.json', stricter);
    const named = ['--organization', organization._id, '--format', 'json'];
    const { stdout, stderr } = await bindery('diff', 'compared', file, ...named);
    expect(JSON.parse(stdout || stderr)).toMatchObject([
      { level: 'error', rule: 'parameter-added-required', subject: 'GET /pets' },
    ]);
    expect(await bindery('diff', 'compared@absent', file, ...named)).toMatchObject({ code: 1 });
    expect((await bindery('diff', 'compared', file)).stderr).toContain('Add `--organization ID`');
  });
});

describe('bindery openapi lint', () => {
  it('reports faults with their position in the file, and style remarks with their pointer', async ({
    write,
    bindery,
  }) => {
    const text = [
      'openapi: 3.0.3',
      "info: {title: 'a & b', version: '1'}",
      'paths:',
      '  /pets/{id}:',
      '    get: {responses: {}, operationId: one, summary: x}',
      '',
    ].join('\n');
    expect(parse(text)).toHaveProperty('paths');
    const file = await write('faulty.yaml', text);
    const { code, stdout } = await bindery('lint', file);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^faulty\.yaml:\d+:\d+: error: .*path/m)]);
    expect(stdout).toMatch(/^\/.*: warning: /m);
    const { stdout: github } = await bindery('lint', file, '--no-style', '--format', 'github');
    expect(github).toMatch(/^::error file=faulty\.yaml,line=\d+,col=\d+,title=[\w-]+::/);
    expect(github).not.toContain('::warning');
  });

  it('accepts a specification without faults', async ({ write, bindery }) => {
    const file = await write('good.json', petstore());
    expect(await bindery('lint', file, '--no-style')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await bindery('lint', file, '--fail-on-warnings')).toMatchObject({ code: 1 });
  });
});
