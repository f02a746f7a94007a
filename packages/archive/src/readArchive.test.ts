import { deflateRawSync } from 'node:zlib';
import { JobError } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { writeZip, zipOf, type ZipEntry } from '../../../test/support/content/zipWriter.ts';
import { readArchive } from './readArchive.ts';
import { bound } from '../../../test/support/machine.ts';

const zeros = (bytes: number) => Buffer.alloc(bytes);
const good = { name: 'good.md', content: '# Good' };
const MiB = 1024 * 1024;

const inner = (name: string, entries: readonly ZipEntry[]): ZipEntry => ({
  name,
  content: writeZip(entries),
  isStored: true,
});
/** Compresses by a factor of about eighty. */
const repeated = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes / 128 }, (_, n) => `${n}`.padEnd(128, 'a')).join(''));

/** Archives that no honest program writes, and some that are merely too large. */
const refused: [name: string, code: string, entries: () => readonly ZipEntry[]][] = [
  ['a path that climbs out', 'unsafe_tree', () => [good, { name: '../evil.md', content: 'x' }]],
  [
    'a path that climbs out in the middle',
    'unsafe_tree',
    () => [good, { name: 'a/../../evil.md', content: 'x' }],
  ],
  ['a path that goes nowhere', 'unsafe_tree', () => [good, { name: 'a/./evil.md', content: 'x' }]],
  ['an absolute path', 'unsafe_tree', () => [good, { name: '/etc/evil.md', content: 'x' }]],
  ['a drive', 'unsafe_tree', () => [good, { name: 'C:/evil.md', content: 'x' }]],
  ['backslashes', 'unsafe_tree', () => [good, { name: String.raw`..\evil.md`, content: 'x' }]],
  ['NUL in a name', 'unsafe_tree', () => [good, { name: 'evil.md\0.png', content: 'x' }]],
  ['a line break in a name', 'unsafe_tree', () => [good, { name: 'evil\n.md', content: 'x' }]],
  [
    'a symbolic link',
    'unsafe_tree',
    () => [good, { name: 'link.md', content: '/etc/passwd', mode: 0o120777 }],
  ],
  ['a device', 'unsafe_tree', () => [good, { name: 'device.md', content: '', mode: 0o020666 }]],
  ['an encrypted file', 'unsafe_tree', () => [good, { name: 'secret.md', content: 'x', flags: 1 }]],
  ['another archive in another one', 'unsafe_tree', () => [inner('one.zip', [inner('two.zip', [good])])]],
  [
    'another kind of archive',
    'unsafe_tree',
    () => [good, { name: 'inner.jar', content: zipOf({ 'a.md': 'x' }) }],
  ],
  [
    'another kind of archive in another one',
    'unsafe_tree',
    () => [inner('inner.zip', [{ name: 'a.tar', content: 'x' }])],
  ],
  [
    'an inner path that climbs out',
    'unsafe_tree',
    () => [inner('inner.zip', [{ name: '../evil.md', content: 'x' }])],
  ],
  [
    'inner archives that lie about their size',
    'bad_content',
    () => [{ ...inner('inner.zip', [good]), declaredSize: 10 }],
  ],
  ['an inner archive that is none', 'bad_content', () => [good, { name: 'inner.zip', content: 'x' }]],
  [
    'files that shrink like no text over both levels',
    'unsafe_tree',
    () => [
      {
        ...inner('inner.zip', [
          { name: 'a.md', content: repeated(2 * MiB) },
          { name: 'b', content: zeros(MiB), isStored: true },
          { name: 'c', content: noise(MiB / 8) },
        ]),
        isStored: false,
      },
    ],
  ],
  [
    'more in all archives than one may hold',
    'too_large',
    () =>
      Array.from({ length: 12 }, (_, n) =>
        inner(`${n}.zip`, [{ name: 'a.bin', content: noise(9 * MiB), isStored: true }]),
      ),
  ],
  [
    'more files in all archives than one may hold',
    'limit',
    () =>
      Array.from({ length: 3 }, (_, n) =>
        inner(
          `${n}.zip`,
          Array.from({ length: 700 }, (_each, m) => ({ name: `${m}.md`, content: '' })),
        ),
      ),
  ],
  ['two files of one name', 'unsafe_tree', () => [good, { name: 'good.md', content: '# Other' }]],
  [
    'two files of one name, composed differently',
    'unsafe_tree',
    () => [{ name: 'é.md' }, { name: 'e\u0301.md' }],
  ],
  [
    'files that lie over each other',
    'unsafe_tree',
    () => [good, { name: 'other.md', content: '# Good', offsetOf: 0 }],
  ],
  [
    'a file that shrinks like no text',
    'unsafe_tree',
    () => [good, { name: 'bomb.md', content: zeros(9 * MiB) }],
  ],
  ['a very long name', 'unsafe_tree', () => [good, { name: `${'a'.repeat(300)}.md`, content: 'x' }]],
  [
    'a size that is a lie',
    'bad_content',
    () => [good, { name: 'lie.md', content: 'x'.repeat(2_000), declaredSize: 10 }],
  ],
  [
    'a size that is a lie the other way',
    'bad_content',
    () => [good, { name: 'lie.md', content: 'x', declaredSize: 5_000 }],
  ],
  ['a checksum that is a lie', 'bad_content', () => [good, { name: 'lie.md', content: 'x', declaredCrc: 1 }]],
  [
    'damaged bytes',
    'bad_content',
    () => [good, { name: 'bad.md', content: 'xxxx', raw: Buffer.from([1, 2, 3, 4, 5]) }],
  ],
  [
    'a bomb that says that it is small',
    'bad_content',
    () => [good, { name: 'bomb.md', raw: deflateRawSync(zeros(200 * MiB)), declaredSize: 1_000 }],
  ],
  ['a bomb', 'too_large', () => [good, { name: 'bomb.md', content: zeros(200 * MiB) }]],
  [
    'more than all files together may have',
    'too_large',
    () =>
      Array.from({ length: 25 }, (_, n) => ({ name: `${n}.bin`, content: noise(9 * MiB), isStored: true })),
  ],
  [
    'more files than anybody writes',
    'limit',
    () => Array.from({ length: 50_000 }, (_, n) => ({ name: `${n}.md`, content: '', isStored: true })),
  ],
  ['folders without end', 'limit', () => [good, { name: `${'a/'.repeat(100)}x.md`, content: 'x' }]],
];

function noise(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let index = 0, seed = 1; index < bytes; index += 4) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
    buffer.writeInt32LE(seed, index);
  }
  return buffer;
}

async function codeOf(archive: Buffer): Promise<string> {
  const error = await readArchive(archive, { opensArchives: true }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof JobError ? error.code : `no JobError: ${String(error)}`;
}

describe('an archive with', () => {
  it.each(refused)('%s is refused with %s', { timeout: 60_000 }, async (_name, code, entries) => {
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
