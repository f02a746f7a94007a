import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger, createWorkFolder, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { createSpecReader, type SpecReader } from '../../apps/worker-openapi/src/child/specReader.ts';
import { median, type Part, type Row } from '../support/figures.ts';

const rounds = 15;
const usual = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: 'OK' } } } } },
});
/** Its values need more than the heap. */
const bomb = `openapi: 3.0.3\npaths: {}\nx-a: [${'{}, '.repeat(2 ** 21)}]\n`;

/** How long a worker takes for a specification right after one that its limit ended. */
export async function measureNext(): Promise<Part> {
  const reader = await createSpecReader({
    openapi: { memoryMb: 128, timeoutMs: 30_000, fetchTimeoutMs: 30_000, refreshMinutes: 0 },
    children: { firstUid: 0x7000_0000 },
  });
  const [afterUsual, afterBomb]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await read(reader, usual);
    afterUsual.push(await read(reader, usual));
    await read(reader, bomb);
    afterBomb.push(await read(reader, usual));
  }
  await reader.close();
  const [reference, ours] = [median(afterUsual), median(afterBomb)];
  const ratio = ours / reference;
  const row: Row = {
    name: 'a small specification after one that exceeded its memory, against after a usual one',
    reference: `${reference.toFixed(0)} ms`,
    ours: `${ours.toFixed(0)} ms`,
    ratio,
    goal: '<= 1.2',
    isMet: ratio <= 1.2,
  };
  return { rows: [row], notes: [] };
}

/** Reads a text as a worker does. @returns  milliseconds, with the start of the process */
async function read(reader: SpecReader, text: string): Promise<number> {
  const path = await createWorkFolder('openapi');
  try {
    const source = join(path, 'source');
    await writeFile(source, text);
    const startMs = performance.now();
    await reader.read(
      { source: { text: source }, outbound: { allow: [], refused: [] }, folder: ownFolder(path) },
      {
        signal: new AbortController().signal,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'bench' }),
        folder: { path, lent: ['source'] },
        onFetched: async () => {},
      },
    );
    return performance.now() - startMs;
  } finally {
    await removeWorkFolder(path);
  }
}
