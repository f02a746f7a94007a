import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromDigits, fromRepeated, fromWord, Id, JsonObject, mapOf, text, WebUrl } from './input.ts';
import { jsonLimits } from './jsonLimits.ts';

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('text', () => {
  it('counts characters as JSON Schema does', () => {
    expect(
      ['', 'a', '😀', '😀'.repeat(50), '😀'.repeat(51), 'x'.repeat(51)].map((value) =>
        takes(text(1, 50), value),
      ),
    ).toEqual([false, true, true, true, false, false]);
    expect([takes(text(2, 2), '😀'), takes(text(2, 2), '😀😀'), takes(text(0, 1), '')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('refuses NUL and lone surrogates, and keeps surrounding spaces', () => {
    for (const value of ['a\0', '\ud800', 'a\udc00b']) expect(takes(text(1, 50), value)).toBe(false);
    expect(text(1, 3).parse(' a ')).toBe(' a ');
    expect(takes(Id, ' '.repeat(257))).toBe(false);
  });

  it('publishes its limits in the document', () => {
    expect(z.toJSONSchema(text(2, 128).optional())).toMatchObject({
      type: 'string',
      minLength: 2,
      maxLength: 128,
    });
    const { pattern, maxLength } = z.toJSONSchema(Id);
    expect([pattern, maxLength]).toEqual([undefined, undefined]);
  });
});

it('accepts http and https URLs unchanged, and refuses URLs that a parser would read differently', () => {
  for (const url of [
    'http://localhost:3000/a?b#c',
    'HTTPS://a.example',
    'https://münchen.example/ü',
    'http://[::1]/',
  ])
    expect([url, WebUrl.safeParse(url).data]).toEqual([url, url]);
  const refused = [
    'javascript:alert(1)',
    'file:///etc',
    'ftp://a.example',
    ' https://a.example',
    'https:a.example',
    'http://a\\b',
    'http://a/\n',
    'http://u:p@a.example',
    'http://',
    '',
    '//a.example',
    `http://a/${'x'.repeat(2048)}`,
  ];
  for (const url of refused) expect([url, takes(WebUrl, url)]).toEqual([url, false]);
});

it('accepts JSON objects up to the limits of a request', () => {
  const nested = (depth: number): unknown => (depth === 1 ? {} : { a: nested(depth - 1) });
  expect([
    takes(JsonObject, nested(jsonLimits.depth)),
    takes(JsonObject, nested(jsonLimits.depth + 1)),
    takes(JsonObject, nested(5_000)),
  ]).toEqual([true, false, false]);
  const wide = (nodes: number) => ({ a: Array.from({ length: nodes - 2 }, () => 0) });
  expect([takes(JsonObject, wide(jsonLimits.nodes)), takes(JsonObject, wide(jsonLimits.nodes + 1))]).toEqual([
    true,
    false,
  ]);
  for (const value of [[], null, 'a', { a: { b: ['\0'] } }, { '\ud800': 1 }])
    expect(takes(JsonObject, value)).toBe(false);
});

it('refuses the key __proto__ in a map', () => {
  const Roles = mapOf(Id, z.enum(['admin', 'read']));
  expect(Roles.parse({ a: 'admin', constructor: 'read' })).toEqual({ a: 'admin', constructor: 'read' });
  expect(takes(Roles, JSON.parse('{"__proto__":"admin"}'))).toBe(false);
});

it('accepts the words true and false, digits, and repeated keys of a query, and refuses lookalikes', () => {
  const Query = z.object({
    word: fromWord(z.boolean().default(true)),
    digits: fromDigits(z.int().min(0).max(9).optional()),
    list: fromRepeated(z.array(Id).max(2).optional()),
  });
  expect(Query.parse({})).toEqual({ word: true });
  expect(Query.parse({ word: 'false', digits: '7', list: 'a' })).toEqual({
    word: false,
    digits: 7,
    list: ['a'],
  });
  for (const word of ['1', 'yes', 'TRUE', '', 'on', ['true', 'true']])
    expect([word, takes(Query, { word })]).toEqual([word, false]);
  for (const digits of ['', '1e0', '0x1', '1.0', '+1', ' 1', '01', '-1', '10', ['1']])
    expect([digits, takes(Query, { digits })]).toEqual([digits, false]);
  expect(takes(Query, { list: ['a', 'b', 'c'] })).toBe(false);
});
