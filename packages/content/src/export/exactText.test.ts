import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactBytes, exactText } from './exactText.ts';

it('restores any bytes exactly', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          0x41,
          0xc3,
          0xa9,
          0xe2,
          0x82,
          0xac,
          0xf0,
          0x9f,
          0x98,
          0x80,
          0xed,
          0xa0,
          0xef,
          0xbb,
          0xbf,
          0xff,
        ),
      )
      .map((all) => Uint8Array.from(all)),
  );
  fc.assert(
    fc.property(bytes, (all) => {
      expect(exactBytes(exactText(all))).toEqual(new Uint8Array(all));
    }),
    { numRuns: 2_000 },
  );
});

it('reads text as text, including its byte order mark', () => {
  expect(exactText(Buffer.from('\uFEFFé日本😀'))).toBe('\uFEFFé日本😀');
  expect(exactText(Uint8Array.from([...Buffer.from('é😀'), 0xe9]))).toBe('é😀\udce9');
});
