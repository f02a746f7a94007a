import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it as base } from 'vitest';
import { checkTmx, checkXliff, provideExchangeSchemas } from '../../../test/support/exchange/schemas.ts';
import {
  editWithToolkit,
  pofilter,
  provideTranslateToolkit,
  readWithToolkit,
} from '../../../test/support/exchange/translateToolkit.ts';
import {
  readUnits,
  writeTmx,
  writeXliff12,
  writeXliff21,
  type ExchangeUnit,
  type ReadUnit,
} from './index.ts';

const missingSchemas = await provideExchangeSchemas();
const missingToolkit = await provideTranslateToolkit();
for (const missing of [missingSchemas, missingToolkit])
  if (missing) console.warn(`Files of exchange not judged: ${missing}`);

const pair = { source: 'en', target: 'es' };

const units: ExchangeUnit[] = [
  {
    id: '__proto__',
    source: 'Read <g id="1">the <g id="2">first</g> page</g> of <x id="3"/> &amp; go',
    target: '<x id="3"/>: lea <g id="1">la <g id="2">primera</g> página</g> &lt;ya&gt;',
    ...{ role: 'text', state: 'human', page: 'a.md' },
  },
  {
    id: 'b-2',
    source: 'Two  spaces\tand tab',
    target: 'Dos  espacios\ty tab',
    role: 'heading',
    state: 'machine',
  },
  { id: '_c', source: 'Untranslated', role: 'cell', state: 'kept', page: 'b & "c".md' },
  {
    id: 'd',
    source: 'A \u0000control\u001b \ud800and 😀',
    target: 'Un control y 😀',
    state: 'conflict',
    page: 'd',
  },
];

const formats = [
  { name: 'tmx', write: writeTmx, format: 'tmx', check: checkTmx },
  { name: 'xliff12', write: writeXliff12, format: 'xliff', check: (file: string) => checkXliff('1.2', file) },
  { name: 'xliff21', write: writeXliff21, format: 'xliff', check: (file: string) => checkXliff('2.1', file) },
] as const;

// oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
const it = base.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-exchange-'));
  onCleanup(() => rm(folder, { recursive: true }));
  return folder;
});

async function save(file: string, pieces: AsyncIterable<string>): Promise<string> {
  await writeFile(file, pieces);
  return file;
}

describe.for(formats)('$name', { timeout: 120_000 }, ({ name, write, format, check }) => {
  it.skipIf(missingSchemas)('is valid, with and without units', async ({ folder }) => {
    await check(await save(join(folder, 'full'), write(units, pair)));
    await check(await save(join(folder, 'empty'), write([], pair)));
    // The judge does find faults.
    const broken = String(await readFile(join(folder, 'full')))
      .replaceAll('source', 'sauce')
      .replaceAll('tuv', 'tvu');
    await writeFile(join(folder, 'broken'), broken);
    await expect(check(join(folder, 'broken'))).rejects.toThrow('xmllint');
  });

  it.skipIf(missingToolkit)(
    'is read by translate-toolkit, and reads back as edited there',
    async ({ folder }) => {
      const file = await save(join(folder, `file.${format === 'tmx' ? 'tmx' : 'xlf'}`), write(units, pair));
      const read = await readWithToolkit(name, file);
      const written = format === 'tmx' ? units.filter(({ target }) => target !== undefined) : units;
      expect(read.map(({ id }) => id)).toEqual(written.map(({ id }) => id));
      expect(read.find(({ id }) => id === 'b-2')).toEqual({
        ...{ id: 'b-2', source: 'Two  spaces\tand tab', target: 'Dos  espacios\ty tab' },
      });
      await editWithToolkit(name, {
        file,
        edits: { ['__proto__']: ['primera', 'siguiente'], d: ['Un', 'El'] },
      });
      const again = await Array.fromAsync(readUnits([await readFile(file)], { format, pair }));
      expect(again.map((unit) => (unit as ReadUnit).target)).toEqual(
        written.map(({ target }) => target?.replace('primera', 'siguiente').replace('Un ', 'El ')),
      );
    },
  );
});

describe('XLIFF 1.2', { timeout: 60_000 }, () => {
  it.skipIf(missingToolkit)('shows pofilter exactly the faults that it has', async ({ folder }) => {
    const tests = ['untranslated', 'endwhitespace', 'numbers', 'urls', 'tabs', 'newlines', 'isfuzzy'];
    const all = await save(join(folder, 'all.xlf'), writeXliff12(units, pair));
    const ids = (faults: string) => Array.from(faults.matchAll(/<trans-unit id="([^"]+)"/g), ([, id]) => id);
    // Of a machine, without a translation, and for another source.
    expect(ids(await pofilter(all, tests))).toEqual(['b-2', '_c', 'd']);
    const good = units.filter(({ state }) => state === 'human');
    expect(
      ids(await pofilter(await save(join(folder, 'good.xlf'), writeXliff12(good, pair)), tests)),
    ).toEqual([]);
  });
});
