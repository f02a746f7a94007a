import { deflateRawSync } from 'node:zlib';
import { JobError } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { hostileArchives, inner, MiB, zeros } from '../../../test/support/content/hostileArchives.ts';
import { writeZip, zipOf, type ZipEntry } from '../../../test/support/content/zipWriter.ts';
import { readArchive } from './readArchive.ts';
import { bound } from '../../../test/support/machine.ts';

async function codeOf(archive: Buffer): Promise<string> {
  const error = await readArchive(archive, { opensArchives: true }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof JobError ? error.code : `no JobError: ${String(error)}`;
}

describe('an archive with', () => {
  it.each(hostileArchives)('%s is refused with %s', { timeout: 60_000 }, async (_name, code, entries) => {
    const archive = writeZip(entries());
    const startMs = performance.now();
    expect(await codeOf(archive)).toBe(code);
    expect(performance.now() - startMs).toBeLessThan(bound(10_000));
  });

  it('a bomb needs hardly any memory', async () => {
    const archive = writeZip([
      { name: 'bomb.md', raw: deflateRawSync(zeros(200 * MiB)), declaredSize: 1_000 },
    ]);
    const before = process.memoryUsage().arrayBuffers;
    await codeOf(archive);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MiB);
  });

  it.each([
    ['cut off', (zip: Buffer) => zip.subarray(0, zip.length - 30)],
    ['no archive at all', () => Buffer.from('hello')],
    ['only its beginning', () => Buffer.from('PK\x03\x04')],
    ['a web page', () => Buffer.from('<html></html>')],
    ['nothing', () => Buffer.alloc(0)],
  ])('bytes that are %s is refused', async (_name, change) => {
    expect(await codeOf(change(zipOf({ 'a.md': '# A' })))).toBe('bad_content');
  });
});

it.each([
  [undefined, 'The downloaded file is not a ZIP archive.', 'the URL'],
  ['The file a.zip', 'The file a.zip is not a ZIP archive.', 'Create it again'],
])('a refusal names the source of the archive: %s', async (uploaded, message, action) => {
  await expect(readArchive(Buffer.from('hello'), { uploaded })).rejects.toMatchObject({
    message,
    action: expect.stringContaining(action),
  });
});

it('an archive yields its files, by path', async () => {
  const text = 'ä'.repeat(50_000);
  const archive = writeZip([
    { name: 'a/', isStored: true },
    { name: 'a/b.md', content: text },
    { name: 'e\u0301.txt', content: 'x', isStored: true, mode: 0o100644 },
    { name: '__proto__', content: 'y' },
    { name: 'empty', content: '' },
  ]);
  const files = await readArchive(archive);
  expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ['a/b.md', text],
    ['é.txt', 'x'],
    ['__proto__', 'y'],
    ['empty', ''],
  ]);
});

describe('nested archives', () => {
  const namesIn = async (entries: readonly ZipEntry[]) =>
    [...(await readArchive(writeZip(entries), { opensArchives: true })).keys()].toSorted();
  const file = (name: string, content = name): ZipEntry => ({ name, content });

  it('are merged if they are parts of one export', async () => {
    const parts = [
      inner('export/Export-1-Part-1.zip', [file('A/a.md'), file('index.html', '1'), file('same.png')]),
      inner('export/Export-1-Part-2.zip', [file('A/b.md'), file('index.html', '2'), file('same.png')]),
    ];
    const names = ['A/a.md', 'A/b.md', 'Export-1-Part-2/index.html', 'index.html', 'same.png'];
    expect(await namesIn(parts)).toEqual(names.map((name) => `export/${name}`).toSorted());
    expect(await namesIn([inner('wrapper.zip', [file('a.md')])])).toEqual(['a.md']);
  });

  it('are folders if there are other files; the metadata files of macOS are not archives', async () => {
    const entries = [
      file('README.md'),
      inner('docs/more.zip', [file('a.md')]),
      file('__MACOSX/docs/._more.zip'),
    ];
    expect(await namesIn(entries)).toEqual(['README.md', '__MACOSX/docs/._more.zip', 'docs/more/a.md']);
  });

  it('are not opened in a Word document', async () => {
    await expect(readArchive(writeZip([inner('a.zip', [file('a.md')])]))).rejects.toMatchObject({
      code: 'unsafe_tree',
    });
  });
});

it('any archive with a changed byte is read, or refused with a JobError', { timeout: 60_000 }, async () => {
  const archive = zipOf({ 'a.md': '# A\n', 'img/b.png': 'not really' });
  for (let index = 0; index < archive.length; index += 1) {
    const broken = Buffer.from(archive);
    broken[index] = (broken[index] as number) ^ 0xff;
    const outcome = await readArchive(broken).then(
      () => 'read',
      (error: unknown) => (error instanceof JobError ? 'refused' : String(error)),
    );
    expect(['read', 'refused'], `byte ${index}: ${outcome}`).toContain(outcome);
  }
});
