import { describe, expect, it } from 'vitest';
import { findRedisProblems } from './redisProblems.ts';

const good =
  'redis_version:7.2.0\r\nmaxmemory_policy:noeviction\r\nrdb_last_bgsave_status:ok\r\naof_enabled:0\r\n';

describe('the settings of Redis', () => {
  it('are good without eviction, with and without persistence', () => {
    expect(findRedisProblems(good)).toEqual([]);
    expect(findRedisProblems(good.replace('aof_enabled:0', 'aof_enabled:1'))).toEqual([]);
  });

  it('are bad when Redis may evict entries or refuses writes', () => {
    const problemsOf = (info: string) => findRedisProblems(info).map(({ problem }) => problem);
    expect(problemsOf(good.replace('noeviction', 'allkeys-lru'))).toEqual([
      'its maxmemory-policy is allkeys-lru',
    ]);
    expect(problemsOf(good.replace('status:ok', 'status:err'))).toEqual([
      'its last snapshot failed, after which it refuses writes',
    ]);
    expect(problemsOf(`${good}aof_last_write_status:err\r\n`)).toEqual([
      'its last write of its append-only file failed, after which it refuses writes',
    ]);
    expect(problemsOf(`${good}used_memory:104857601\r\nmaxmemory:104857600\r\n`)).toEqual([
      'it uses all of its maxmemory (100 MiB), at which it refuses writes',
    ]);
    expect(problemsOf(`${good}used_memory:104857601\r\nmaxmemory:0\r\n`)).toEqual([]);
  });
});
