import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { it as base } from '../../support/translation/translating.ts';

const main = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts');

type Ended = { code: number; stdout: string; stderr: string };

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-translation-command-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('bindery', ({ api, organization, admin, folder }) => async (...args: string[]) => {
    const env = { ...process.env, BINDERY_API_URL: api.origin, BINDERY_TOKEN: admin.token };
    const all = [main, 'translation', ...args, '--organization', organization._id];
    return new Promise<Ended>((done) => {
      execFile(process.execPath, all, { env, cwd: folder }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  });

const pages = [{ id: 'page', title: 'Page', source: 'First text.\n\nSecond `code` text.\n' }];

describe('bindery translation', { timeout: 120_000 }, () => {
  it('runs a translation, waits for its end, and shows the outcome', async ({ translated, bindery }) => {
    const one = await translated(pages);
    await one.write('page', 'Other text.\n');
    const { code, stdout, stderr } = await bindery('run', one.id, '--wait');
    expect([code, stdout]).toEqual([0, expect.stringContaining('en to es: completed')]);
    expect(stdout).toMatch(/last run: 1 pages, \d+ words, \d+ s; 2 runs in all/);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect((await one.page('page')).text).toContain('Óťĥéŕ');
    expect(await bindery('run', one.id)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w+\n$/) });
  });

  it('counts with --dry-run, and translates nothing', async ({ translated, bindery, engine }) => {
    const one = await translated(pages);
    await one.write('page', 'First text.\n\nNobody has translated this.\n');
    engine.asked.length = 0;
    const { code, stdout } = await bindery('run', one.id, '--dry-run');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^en to es with pseudo-locale: 1 pages$/m)]);
    expect(stdout).toMatch(/^new +4 words in 1 texts$/m);
    expect(stdout).toMatch(/^memory +3 words in 2 texts$/m);
    expect(stdout).toMatch(/^pseudo-locale: 1 texts, 27 characters, 1 calls$/m);
    expect(engine.asked).toEqual([]);
  });

  it('shows the state of a translation, also as JSON', async ({ translated, bindery }) => {
    const one = await translated(pages);
    const { code, stdout } = await bindery('status', one.id);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/result: space \w+, revision \w+/)]);
    const { stdout: json } = await bindery('status', one.id, '--json');
    expect(JSON.parse(json)).toMatchObject({ object: 'translation', id: one.id });
  });

  it('exports texts, and imports the edited ones', async ({ translated, bindery, folder }) => {
    const one = await translated(pages);
    expect(await bindery('export', one.id, '-o', 'texts.xlf')).toMatchObject({
      ...{ code: 0, stdout: 'texts.xlf (2 kB)\n' },
    });
    const file = join(folder, 'texts.xlf');
    const edited = (await readFile(file, 'utf8')).replace('Fíŕšť', 'Primer');
    await writeFile(file, edited.replace(/(<target[^>]*>[^<]*)<x id="1"\/>/, '$1'));
    const { code, stdout, stderr } = await bindery('import', one.id, 'texts.xlf');
    expect([code, stdout]).toEqual([1, '3 units: 1 stored, 1 unchanged, 0 untranslated, 1 refused\n']);
    expect(stderr).toMatch(/^texts\.xlf:\d+: \S{22} It lacks <x id="1"\/>\.$/m);
    await writeFile(file, edited);
    expect(await bindery('import', one.id, 'texts.xlf')).toMatchObject({
      ...{ code: 0, stdout: '3 units: 0 stored, 3 unchanged, 0 untranslated, 0 refused\n' },
    });
    await bindery('run', one.id, '--wait');
    expect((await one.page('page')).text).toContain('Primer');
  });

  it('exchanges the memory as TMX', async ({ translated, bindery, folder }) => {
    const one = await translated(pages);
    expect(await bindery('export', one.id, '--format', 'tmx')).toMatchObject({ code: 0 });
    const file = join(folder, `${one.id}.tmx`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('Šéçóñď', 'Segundo'));
    const { code, stdout } = await bindery('import', one.id, `${one.id}.tmx`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 stored')]);
  });

  it.for<[string[], string]>([
    [[], 'needs one of run, status, export and import'],
    [['run'], 'Name the translation by its id'],
    [['run', 'a', 'b'], 'one "b" too many'],
    [['status', 'absent'], 'absent'],
    [['export', 'a', '--format', 'docx'], 'Choose from xliff-1.2, xliff-2.1, tmx'],
    [['import', 'a'], 'needs a translation and a file'],
    [['import', 'a', 'absent.xlf'], 'absent.xlf cannot be read'],
  ])('reports the error in its arguments: %j', async ([args, words], { bindery }) => {
    expect(await bindery(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });
});
