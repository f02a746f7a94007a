import { describe, expect, it } from 'vitest';
import { scrubSecrets } from './scrubSecrets.ts';
import { bound } from '../../../test/support/machine.ts';

describe('scrubSecrets', () => {
  it.each([
    ['fetching https://me:canary@host/r.git failed', 'fetching https://[removed]@host/r.git failed'],
    ['mongodb://user:canary@db:27017/x', 'mongodb://[removed]@db:27017/x'],
    [
      'redis+sentinel://:canary@a:1,b:2/primary?db=1&sentinelPassword=canary',
      'redis+sentinel://[removed]@a:1,b:2/primary?db=1&sentinelPassword=[removed]',
    ],
    ['Authorization: Bearer canary.canary-1', 'Authorization: Bearer [removed]'],
    ['authorization: basic Y2FuYXJ5', 'authorization: basic [removed]'],
    ['token bnd_canary0123456789 used', 'token [removed] used'],
    ['secret whsec_canary+canary/canary= used', 'secret [removed] used'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.canary.canary end', 'jwt [removed] end'],
    ['/files/o/b/n?signature=canary&x=1', '/files/o/b/n?signature=[removed]&x=1'],
    ['key "-----BEGIN PRIVATE KEY-----\\ncanary\\n-----END PRIVATE KEY-----"', 'key "[removed]"'],
  ])('%s', (text, expected) => expect(scrubSecrets(text)).toBe(expected));

  it('keeps text that only looks similar, and stays fast on long lines', () => {
    for (const text of ['https://host/a@b', 'a basic idea', 'mail me@example.org', '-----BEGIN'])
      expect(scrubSecrets(text)).toBe(text);
    const startedMs = performance.now();
    for (const piece of ['https://', '-----BEGIN A-----', '?token=', 'eyJ', 'Bearer '])
      scrubSecrets(piece.repeat(20_000));
    expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
  });
});
