import { idempotencyCollection } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { expect } from 'vitest';
import type { ApiAnswer, ApiCall, TestApi } from '../apiServer.ts';

/**
 * Sends a request twice with one `Idempotency-Key`, like a client whose connection broke.
 *
 * It must succeed, its own transaction must have recorded the key (or a crash would repeat the request), and
 * the second time it must only return its answer.
 */
export async function sentTwice(
  api: TestApi,
  method: string,
  path: string,
  call: ApiCall,
): Promise<ApiAnswer> {
  const key = newId();
  const send = () =>
    api.call(method, path, { ...call, headers: { ...call.headers, 'idempotency-key': key } });
  const startedAt = new Date();
  const first = await send();
  expect(first.status, first.text).toBeLessThan(300);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  // Kept for a day, so the newest key expires last.
  const dayMs = 24 * 60 * 60 * 1000;
  const made = await idempotencyCollection()
    .find({ expireAt: { $gte: new Date(startedAt.getTime() + dayMs - 1_000) } })
    .sort({ expireAt: -1 })
    .limit(1)
    .toArray();
  expect(
    made[0]?.committedAt,
    `${method} ${path} must write in \`singleWrite\` or \`withTransaction\`, which also record its key`,
  ).toBeInstanceOf(Date);
  const second = await send();
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  for (const name of ['x-job-id', 'link', 'etag', 'content-type'])
    expect(second.headers.get(name)).toBe(first.headers.get(name));
  return first;
}
