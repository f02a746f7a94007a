import { describe, expect, it } from 'vitest';

import { readIdentity } from './identity.ts';

const read = (line: string | Buffer) => readIdentity(Buffer.from(line as string), new TextDecoder());

describe('readIdentity', () => {
  it('reads name, e-mail and time', () => {
    expect(read('Ada Example <ada@example.org> 1700000000 +0100')).toEqual({
      name: 'Ada Example',
      email: 'ada@example.org',
      seconds: 1_700_000_000,
    });
  });

  it.each([
    ['', { name: '', email: '' }],
    ['Ada', { name: 'Ada', email: '' }],
    ['Ada <>', { name: 'Ada', email: '' }],
    ['Ada <ada@example.org', { name: 'Ada', email: 'ada@example.org' }],
    ['<ada@example.org> 5 +0000', { name: '', email: 'ada@example.org', seconds: 5 }],
    ['Ada <a@b> <c@d> 5 +0000', { name: 'Ada', email: 'a@b', seconds: 5 }],
    ['Ada <a@b> 5', { name: 'Ada', email: 'a@b', seconds: 5 }],
    ['Ada <a@b> yesterday', { name: 'Ada', email: 'a@b' }],
    ['Ada <a@b> -5 +0000', { name: 'Ada', email: 'a@b' }],
    ['Ada <a@b> 253402300799 +0000', { name: 'Ada', email: 'a@b', seconds: 253_402_300_799 }],
    ['Ada <a@b> 253402300800 +0000', { name: 'Ada', email: 'a@b' }],
    ['Ada <a@b> 18446744073709551615 +0000', { name: 'Ada', email: 'a@b' }],
    ['A\0d\ta <a\0@b> 5 +0000', { name: 'A d a', email: 'a @b', seconds: 5 }],
  ])('reads the valid parts of %j', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it('cuts a name of a megabyte between characters, and still reads the e-mail and time after it', () => {
    const { name, email, seconds } = read(`a${'😀'.repeat(250_000)} <${'e'.repeat(1_000_000)}> 5 +0000`);
    expect([name.length, email.length, seconds]).toEqual([255, 254, 5]);
    expect(name.isWellFormed()).toBe(true);
  });
});
