import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { buildChangeRequest, buildRevision } from '../../support/factories.ts';
import { it as base, missingPrograms } from '../../support/pdf/printing.ts';
import { plain, readPdf } from '../../support/pdf/readPdf.ts';

const main = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts');

type Ended = { code: number; stdout: string; stderr: string };

const it = base.extend('bindery', ({ api, reader, printing: _started }) => async (...args: string[]) => {
  const env = { ...process.env, BINDERY_API_URL: api.origin, BINDERY_TOKEN: reader.token };
  return new Promise<Ended>((done) => {
    execFile(process.execPath, [main, 'pdf', ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
});

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-pdf-command-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

describe.skipIf(missingPrograms)('bindery pdf', () => {
  it('writes the PDF of a space, and plain lines of progress', async ({ space, bindery }) => {
    await buildRevision(space, {
      pages: [
        { title: 'One', source: 'Words.' },
        { title: 'Two', source: 'More.' },
      ],
    });
    const folder = await newFolder();
    const file = join(folder, 'book.pdf');
    const { code, stdout, stderr } = await bindery(space._id, '-o', file, '--page-size', 'letter');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/book\.pdf \(\d+ kB\)\n$/)]);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    const pdf = await readPdf(await readFile(file));
    expect(pdf.texts.join('')).toContain(plain('Words.'));
    expect(await readdir(folder)).toEqual(['book.pdf']);
  });

  it('writes the changes of a change request', async ({ space, bindery }) => {
    const { _id: revision } = await buildRevision(space, {
      publish: false,
      pages: [{ title: 'New page', source: 'Fresh words.' }],
    });
    const { number } = await buildChangeRequest(space, { revision });
    const file = join(await newFolder(), 'changes.pdf');
    expect(await bindery(`${space._id}/${number}`, '--changes', '--output', file)).toMatchObject({ code: 0 });
    expect((await readPdf(await readFile(file))).texts.join('')).toContain(plain('ADDED Fresh words.'));
  });

  it('reports errors in its arguments, and writes nothing', async ({ space, bindery }) => {
    const folder = await newFolder();
    const file = join(folder, 'book.pdf');
    for (const [args, words] of [
      [[space._id, '--changes'], 'only for change requests'],
      [[space._id, '--page', 'nothing'], 'page'],
      [[space._id, '--page-size', 'a5'], 'pageSize'],
      [['nothing'], 'space'],
      [[], 'needs the id of one space'],
      [[`${space._id}/`], 'needs the id of one space'],
    ] as const) {
      const { code, stderr } = await bindery(...args, '-o', file);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
    expect(await readdir(folder)).toEqual([]);
    const { code, stderr } = await bindery(space._id, '-o', join(folder, 'missing', 'book.pdf'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('Choose another place')]);
  });
});
