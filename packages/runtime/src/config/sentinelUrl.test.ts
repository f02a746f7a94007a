import { expect, it } from 'vitest';
import { parseSentinelUrl } from './sentinelUrl.ts';

it('reads all parts of a URL of sentinels', () => {
  expect(
    parseSentinelUrl(
      'rediss+sentinel://user:p%40ss@a,b:1,[::1]:2/primary?db=4&sentinelUsername=other&sentinelPassword=a+b%26',
    ),
  ).toEqual({
    sentinels: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 },
      { host: '::1', port: 2 },
    ],
    name: 'primary',
    db: 4,
    username: 'user',
    password: 'p@ss',
    sentinelUsername: 'other',
    sentinelPassword: 'a+b&',
    isEncrypted: true,
  });
});

it('omits logins that a URL does not have', () => {
  expect(parseSentinelUrl('redis+sentinel://a/primary')).toEqual({
    sentinels: [{ host: 'a', port: 26_379 }],
    name: 'primary',
    db: 0,
    isEncrypted: false,
  });
  expect(parseSentinelUrl('redis+sentinel://:secret@a/primary')).toMatchObject({ password: 'secret' });
});

it.each(['redis://a', 'redis+sentinel://a', 'redis+sentinel://a/primary?db=1&db2=3'])(
  'returns undefined for %s',
  (url) => {
    expect(parseSentinelUrl(url)).toBeUndefined();
  },
);
