import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handmadePdf, plainObjects, type HandmadeObjects } from '../../../../test/support/pdf/handmadePdf.ts';
import { Book } from './book.ts';

const properties = { title: 'Book', language: 'en', date: new Date(0), seed: '' };
const headings = [{ id: 'one', level: 1, title: 'One' }];

let path: string;
beforeEach(() => {
  path = join(tmpdir(), `bindery-${randomUUID()}.pdf`);
});
afterEach(() => rmSync(path, { force: true }));

function add(objects: HandmadeObjects, trailer?: string) {
  return addPdf(handmadePdf({ ...plainObjects, ...objects }, trailer));
}

function addPdf(pdf: Uint8Array) {
  const book = new Book(path, properties);
  try {
    return book.add('body', pdf, headings);
  } finally {
    book.discard();
  }
}

it('accepts a plain chunk', () => {
  expect(add({})).toEqual({ sheets: 1, headingSheets: new Map([['one', 0]]) });
});

describe('a chunk that Chromium does not print', () => {
  const page = plainObjects[3];
  const link = plainObjects[6];
  const bomb = deflateSync(Buffer.alloc(80 * 1024 * 1024));
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each<[string, HandmadeObjects, string]>([
    ['pages that contain themselves', { 2: '<</Type /Pages /Kids [2 0 R]>>' }, 'tree of pages'],
    ['a page twice', { 2: '<</Type /Pages /Kids [3 0 R 3 0 R]>>' }, 'tree of pages'],
    ['a page without size', { 3: page.replace('/MediaBox', '/Box') }, 'no size'],
    ['an object that is a reference', { 3: '4 0 R' }, 'only a reference'],
    ['an object that is missing', { 3: page.replace('4 0 R', '99 0 R') }, 'no object 99'],
    [
      'values nested too deeply',
      { 3: page.replace('/Tabs', '/Tabs').replace('[0 0 595 842]', nested(9_999)) },
      'nested',
    ],
    [
      'an outline that is a circle',
      { 8: plainObjects[8].replace('/SE', '/Next 8 0 R /SE') },
      'outline|more than 1',
    ],
    ['an outline elsewhere', { 8: '<</Dest [5 0 R /XYZ 1 2 0]>>' }, 'on a page that it does not have'],
    ['an outline without places', { 8: '<</A <</S /JavaScript>>>>' }, 'not a place'],
    ['a structure that is a circle', { 11: '<</S /P /K [10 0 R]>>' }, 'twice in its structure'],
    ['an element twice', { 10: '<</S /Document /K [11 0 R 11 0 R]>>' }, 'twice in its structure'],
    ['content twice', { 12: '<</S /P /Pg 3 0 R /K 0>>' }, 'the same content'],
    ['content that is not there', { 11: '<</S /H1 /Pg 3 0 R /K 999999999>>' }, 'not there'],
    ['content of no page', { 11: '<</S /H1 /Pg 5 0 R /K 0>>' }, 'does not have'],
    [
      'a resource in itself',
      { 5: '<</Type /Font /Subtype /Type3 /Resources <</Font <</F 5 0 R>>>>>>' },
      'contains itself',
    ],
    ['a page as a resource', { 5: '<</Type /Font /Boxes [3 0 R]>>' }, 'part of its structure'],
    ['a form field', { 6: link.replace('/Link', '/Widget') }, 'not a link'],
    [
      'a link that runs a program',
      { 6: link.replace('/Dest /one', '/A <</S /Launch /F (x)>>') },
      'something else',
    ],
    [
      'a link with a second action',
      { 6: link.replace('/Dest /one', '/A <</S /URI /URI (http://a/) /Next 5 0 R>>') },
      'something else',
    ],
    [
      'a link with an unclean address',
      { 6: link.replace('/Dest /one', '/A <</S /URI /URI (http://a/\\nb)>>') },
      'another address',
    ],
    [
      'a script in upper case',
      { 6: link.replace('/Dest /one', '/A <</S /URI /URI (JavaScript:x)>>') },
      'another address',
    ],
    ['an annotation twice', { 3: page.replace('[6 0 R]', '[6 0 R 6 0 R]') }, 'annotations'],
    ['data in another file', { 4: { dict: '/F (/etc/passwd)', data: '' } }, 'outside of it'],
    ['a length that is wrong', { 4: { dict: '/Length 5', data: 'abcdefghijk' } }, 'another length|no length'],
    ['an unknown compression', { 4: { dict: '/Filter /LZWDecode', data: 'x' } }, 'compressed in a way'],
    ['damaged compression', { 4: { dict: '/Filter /FlateDecode', data: 'x' } }, 'cannot be decompressed'],
    ['a page that inflates to 80 MB', { 4: { dict: '/Filter /FlateDecode', data: bomb } }, 'too large'],
    ['marks without end', { 4: { dict: '', data: '/P <</MCID 0>>BDC '.repeat(1_000) } }, 'does not end'],
    [
      'a program as an image',
      { 5: '<</Type /Font /X 13 0 R>>', 13: { dict: '/Type /XObject /Subtype /PS', data: 'quit' } },
      'neither an image',
    ],
  ])('is refused: %s', (_name, objects, message) => {
    expect(() => add(objects)).toThrow(new RegExp(message));
  });

  it.each([
    ['is encrypted', '/Root 1 0 R /Encrypt 5 0 R'],
    ['was changed later', '/Root 1 0 R /Prev 9'],
    ['has no catalog', '/Root 4 0 R'],
  ])('is refused when it %s', (_name, trailer) => {
    expect(() => add({}, trailer)).toThrow('The printed PDF cannot be used');
  });

  it.each([
    '',
    '%PDF-1.4',
    '%PDF-1.4 startxref 0',
    `%PDF-1.4 xref 0 999999999 startxref 9 %%EOF`,
    '%PDF-1.4 xref 0 99999999999999999 startxref 9',
  ])('is refused: %j', (text) => {
    expect(() => addPdf(Buffer.from(text))).toThrow('The printed PDF cannot be used');
  });

  it('is refused quickly when its objects overlap', () => {
    // Each object is a string that contains all later ones.
    const count = 3_000;
    const objects = Array.from({ length: count }, (_, index) => `${index + 20} 0 obj\n(`);
    const tail = ')'.repeat(count);
    const pdf = Buffer.from(
      handmadePdf({
        ...plainObjects,
        5: `<</Type /Font /X [${objects.map((_, index) => `${index + 20} 0 R`).join(' ')}]>>`,
        [count + 20]: `${objects.join('')}${tail}`,
      }),
    );
    let text = pdf.toString('latin1');
    for (const [index, object] of objects.entries()) {
      const entry = text.lastIndexOf('xref\n0 ', text.lastIndexOf('trailer'));
      const row = text.indexOf('\n', entry + 6) + 1 + (index + 20) * 20;
      const offset = String(text.indexOf(object)).padStart(10, '0');
      text = `${text.slice(0, row)}${offset} 00000 n \n${text.slice(row + 20)}`;
    }
    expect(() => addPdf(Buffer.from(text, 'latin1'))).toThrow('overlap');
  });
});

it('drops scripts and actions for viewers', () => {
  const book = new Book(path, properties);
  const objects = {
    ...plainObjects,
    1: plainObjects[1].replace('/Catalog', '/Catalog /OpenAction <</S /JavaScript /JS (x)>> /AA <<>>'),
    3: plainObjects[3].replace('/Page ', '/Page /AA <</O <</S /JavaScript /JS (x)>>>> '),
    5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /AA <</O (x)>> /JS (x)>>',
  };
  book.add('body', handmadePdf(objects), headings);
  book.finish({ outline: [] });
  expect(inflated(path)).not.toMatch(/\/(AA|JS|JavaScript|OpenAction)\b/);
});

/** A PDF of ours, with its compressed objects in plain text. */
function inflated(file: string): string {
  const bytes = readFileSync(file);
  const text = bytes.toString('latin1');
  const streams = text
    .matchAll(/\/Filter\/FlateDecode\/Length (\d+)>>stream\n/g)
    .map(({ 0: head, 1: length, index }) => {
      const start = index + head.length;
      return inflateSync(bytes.subarray(start, start + Number(length))).toString('latin1');
    });
  return [text, ...streams].join('\n');
}
