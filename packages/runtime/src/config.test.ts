import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const load = (stores: { MONGODB_URI?: string; REDIS_URL?: string }) =>
  loadConfig({ MONGODB_URI: 'mongodb://m', REDIS_URL: 'redis://r', BINDERY_SECRET_KEY: '0'.repeat(64), ...stores });

describe('the address of a store', () => {
  it.each(['redis://:pw@r:1/2', 'rediss://r', 'unix:///run/redis.sock', 'unix:///run/a%20b/redis.sock?db=12'])('may be %s', (REDIS_URL) => {
    expect(load({ REDIS_URL }).redis.url).toBe(REDIS_URL);
  });

  it.each([
    'http://r',
    'unix://run/redis.sock',
    'unix://',
    'unix:///',
    'unix:///run/redis.sock?db=x',
    'unix:///run/redis.sock?db=1&password=x',
    'unix:///run/%zz.sock',
  ])('is refused as %s', (REDIS_URL) => {
    expect(() => load({ REDIS_URL })).toThrow('REDIS_URL: must begin with redis:// or rediss://, or be unix:///path/to/redis.sock');
  });

  it('is reached by no outbound request, where it is one of the network', () => {
    expect(load({ MONGODB_URI: 'mongodb://u:p@a,b:2/x', REDIS_URL: 'redis://c' }).outbound.refused).toEqual([
      ...['a:27017', 'b:2', 'c:6379'],
      '127.0.0.1:3000',
    ]);
    expect(load({ MONGODB_URI: 'mongodb://%2Frun%2Fm.sock/x', REDIS_URL: 'unix:///run/r.sock' }).outbound.refused).toEqual([
      '127.0.0.1:3000',
    ]);
  });
});
