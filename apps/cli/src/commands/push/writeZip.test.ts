import { randomBytes } from 'node:crypto';
import { readArchive } from '@bindery/archive';
import { expect, it } from 'vitest';
import { writeZips } from './writeZip.ts';

const maxBytes = 100_000;

it('archives have the files, and are equal for equal files', async () => {
  const files = [
    { path: 'a/ä.md', bytes: Buffer.from('# Title\n'.repeat(100)) },
    { path: 'picture.png', bytes: randomBytes(1_000) },
    { path: 'empty.md', bytes: Buffer.alloc(0) },
    // Readers refuse what shrinks this much.
    { path: 'zeros.bin', bytes: Buffer.alloc(50_000) },
  ];
  const { archives, tooLarge } = writeZips(files, { maxBytes });
  expect([archives.length, tooLarge]).toEqual([1, []]);
  expect(await readArchive(archives[0]!)).toEqual(new Map(files.map(({ path, bytes }) => [path, bytes])));
  expect(writeZips(files, { maxBytes }).archives).toEqual(archives);
});

it('no archive is larger than the limit, and a file that fits into none is named', async () => {
  const files = [30_000, 60_000, 90_000, 99_900].map((size) => ({
    path: `${size}.bin`,
    bytes: randomBytes(size),
  }));
  const { archives, tooLarge } = writeZips(files, { maxBytes });
  expect(tooLarge).toEqual(['99900.bin']);
  for (const { length } of archives) expect(length).toBeLessThanOrEqual(maxBytes);
  const read = await Promise.all(archives.map(async (archive) => readArchive(archive)));
  expect(read.map((each) => [...each.keys()])).toEqual([['30000.bin', '60000.bin'], ['90000.bin']]);
});
