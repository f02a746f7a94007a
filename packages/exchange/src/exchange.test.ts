import fc from 'fast-check';
import { textOfParts, type Part } from '@bindery/translation';
import { describe, expect, it } from 'vitest';
import {
  readUnits,
  withoutIllegalCharacters,
  writeTmx,
  writeXliff12,
  writeXliff21,
  type ExchangeUnit,
} from './index.ts';

const pair = { source: 'en', target: 'pt-BR' };

const formats = [
  { name: 'TMX 1.4b', write: writeTmx, format: 'tmx' },
  { name: 'XLIFF 1.2', write: writeXliff12, format: 'xliff' },
  { name: 'XLIFF 2.1', write: writeXliff21, format: 'xliff' },
] as const;

async function written({ write }: (typeof formats)[number], units: Iterable<ExchangeUnit>): Promise<Buffer> {
  let text = '';
  for await (const piece of write(units, pair)) text += piece;
  return Buffer.from(text);
}

/** All units of a file, in pieces that cut through characters and tags. */
async function readAll(file: Buffer, format: 'tmx' | 'xliff', pieceBytes = 97) {
  const pieces = Array.from({ length: Math.ceil(file.length / pieceBytes) }, (_, index) =>
    file.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return Array.fromAsync(readUnits(pieces, { format, pair }));
}

/** A unit as a reader returns it: of XLIFF, without role and state, because no import needs them. */
function asRead({ id, source, target, role, state, page }: ExchangeUnit, format: 'tmx' | 'xliff') {
  return {
    ...{ id, source, target },
    ...(format === 'tmx' && role !== undefined && { role }),
    ...(format === 'tmx' && state !== undefined && { state }),
    ...(format === 'xliff' && page !== undefined && { page }),
    line: expect.any(Number),
  };
}

const unit: ExchangeUnit = {
  id: 'a',
  source: 'Read <g id="1">the <g id="2">first</g> page</g> of <x id="3"/> &amp; go',
  target: '<x id="3"/>: leia <g id="2">a <g id="1">primeira</g></g>  &lt;página&gt;',
  role: 'text',
  state: 'human',
  page: 'docs/"guide" & more.md',
};

describe.each(formats)('$name', (format) => {
  it('reads back as it was written', async () => {
    const words = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `a${text.trim()}`);
    const parts = fc.tuple(words, fc.nat(9), words).map(([one, number, other]): Part[] => {
      const [pairId, atomId] = number < 5 ? [1, 2] : [2, 1];
      const [open, close] = [
        { tag: 'open', id: pairId },
        { tag: 'close', id: pairId },
      ] as const;
      const atom = { tag: 'atom', id: atomId } as const;
      return pairId === 1 ? [one, open, other, close, atom] : [atom, one, open, other, close];
    });
    const text = parts.map((given) => withoutIllegalCharacters(textOfParts(given)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.nat(2)), { maxLength: 4 }), async (given) => {
        const units = given.map(([source, file], index): ExchangeUnit => ({
          ...{ id: `u${index}`, source, target: source, role: 'cell', state: 'machine' },
          ...(format.format === 'xliff' && { page: `p${file}` }),
        }));
        const read = await readAll(await written(format, units), format.format);
        expect(read).toEqual(units.map((one) => asRead(one, format.format)));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps reordered placeholders, ids like __proto__, and spaces', async () => {
    const units = ['__proto__', 'constructor', 'a'].map((id) => ({
      ...unit,
      id,
      source: `  ${unit.source} `,
    }));
    const read = await readAll(await written(format, units), format.format);
    expect(read).toEqual(units.map((one) => asRead(one, format.format)));
  });

  it('omits characters that XML cannot express', async () => {
    const [read] = await readAll(
      await written(format, [{ id: 'a', source: 'x\u0000\u001b\ud800y', target: 'ok\uffff\r\n' }]),
      format.format,
    );
    expect(read).toMatchObject({ source: 'xy', target: 'ok\r\n' });
  });

  it('is written in pieces, not as one text', async () => {
    const many = Iterator.from({
      *[Symbol.iterator]() {
        for (let index = 0; index < 5_000; index += 1) yield { ...unit, id: `u${index}` };
      },
    });
    let longest = 0;
    let count = 0;
    for await (const piece of format.write(many, pair)) {
      longest = Math.max(longest, piece.length);
      count += 1;
    }
    expect(count).toBeGreaterThan(10);
    expect(longest).toBeLessThan(70_000);
  });

  it('reads back empty when it has no units', async () => {
    expect(await readAll(await written(format, []), format.format)).toEqual([]);
  });
});
