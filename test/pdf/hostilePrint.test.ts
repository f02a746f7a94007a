import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Book } from '../../packages/pdf/src/book/book.ts';
import { bound } from '../support/machine.ts';
import { chunkHtml } from '../support/pdf/bookHtml.ts';
import { everyBlock } from '../support/pdf/everyBlock.ts';
import { handmadePdf, objectsOf } from '../support/pdf/handmadePdf.ts';
import { providePdfPrograms } from '../support/pdf/judges.ts';
import { startPrinter } from '../support/pdf/printHtml.ts';

const missing = await providePdfPrograms();
const properties = { title: 'Book', language: 'en', date: new Date(0), seed: '' };
const runs = { numRuns: 300 };

// A browser that was taken over can print anything. A chunk is added, or refused with a clear error, soon.
describe.skipIf(missing)('a damaged print', () => {
  let pdf: Uint8Array;
  let objects: Record<number, string>;
  /** Names, numbers, references and brackets of all objects. */
  let tokens: string[];
  beforeAll(async () => {
    const printer = await startPrinter();
    pdf = await printer.print(chunkHtml([everyBlock]));
    await printer.close();
    objects = objectsOf(pdf);
    tokens = [...new Set(Object.values(objects).flatMap((object) => structureOf(object).match(token)!))];
  });

  it('is added when its objects are only written again', () => {
    expect(write(handmadePdf(objects, `/Root ${rootOf(pdf)} 0 R`))).toBe('added');
  });

  it('is added or refused with a clear error after changes of its bytes', () => {
    const damage = fc.record({
      at: fc.nat({ max: 1_000_000 }),
      drop: fc.nat({ max: 40 }),
      put: fc.uint8Array({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let bytes = Buffer.from(pdf);
        for (const { at, drop, put } of damages) {
          const start = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + drop)]);
        }
        write(bytes);
      }),
      runs,
    );
  });

  it('is added or refused with a clear error after changes of its values, with a valid xref table', () => {
    const outcomes = new Set<string>();
    const extremes = [
      '0',
      '-1',
      '4294967296',
      '99999999999999',
      '[',
      ']',
      '<<',
      '>>',
      '()',
      '<>',
      'null',
      '%',
      'R',
      '1 0 R',
    ];
    const change = fc.record({ object: fc.nat(), token: fc.nat(), extreme: fc.boolean(), value: fc.nat() });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const damaged = { ...objects };
        const numbers = Object.keys(objects).map(Number);
        for (const { object, token: place, extreme, value } of changes) {
          const number = numbers[object % numbers.length]!;
          const values = extreme ? extremes : tokens;
          damaged[number] = replaceToken(damaged[number]!, place, values[value % values.length]!);
        }
        outcomes.add(write(handmadePdf(damaged, `/Root ${rootOf(pdf)} 0 R`)));
      }),
      runs,
    );
    expect(outcomes).toEqual(new Set(['added', 'bad_content']));
  });
});

const token = /\d+ 0 R|\/\w+|-?\d[\d.]*|<<|>>|\[|\]|\([^)]*\)/g;

/** The text of an object without the data of its stream. */
function structureOf(object: string): string {
  return object.split(' stream\n', 1)[0]!;
}

function replaceToken(object: string, place: number, value: string): string {
  const structure = structureOf(object);
  const matches = [...structure.matchAll(token)];
  const match = matches[place % Math.max(1, matches.length)];
  if (!match) return object;
  return `${structure.slice(0, match.index)}${value}${object.slice(match.index + match[0].length)}`;
}

function rootOf(pdf: Uint8Array): string {
  return /\/Root (\d+) 0 R/.exec(Buffer.from(pdf).toString('latin1'))![1]!;
}

/** @returns `added`, or the code of the error */
function write(pdf: Uint8Array): string {
  const path = join(tmpdir(), `bindery-${randomUUID()}.pdf`);
  const startMs = performance.now();
  const book = new Book(path, properties);
  try {
    book.add('body', pdf, everyBlock.headings);
    book.finish({ outline: [] });
    return 'added';
  } catch (error) {
    book.discard();
    if (!(error instanceof JobError)) throw error;
    expect(error.code).toMatch(/^(bad_content|limit)$/);
    return error.code;
  } finally {
    rmSync(path, { force: true });
    expect(performance.now() - startMs).toBeLessThan(bound(2_000));
  }
}
