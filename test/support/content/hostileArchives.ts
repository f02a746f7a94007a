import { deflateRawSync } from 'node:zlib';
import { writeZip, zipOf, type ZipEntry } from './zipWriter.ts';

export const zeros = (bytes: number) => Buffer.alloc(bytes);
const good = { name: 'good.md', content: '# Good' };
export const MiB = 1024 * 1024;

/** An archive inside another one. */
export const inner = (name: string, entries: readonly ZipEntry[]): ZipEntry => ({
  name,
  content: writeZip(entries),
  isStored: true,
});
/** Compresses by a factor of about eighty. */
const repeated = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes / 128 }, (_, n) => `${n}`.padEnd(128, 'a')).join(''));

/** Archives that no honest program writes, and some that are merely too large. */
export const hostileArchives: readonly [name: string, code: string, entries: () => readonly ZipEntry[]][] = [
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

/** Bytes that do not shrink. */
export function noise(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let index = 0, seed = 1; index < bytes; index += 4) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
    buffer.writeInt32LE(seed, index);
  }
  return buffer;
}
