import { expect, it } from 'vitest';
import { Refusal } from '../refusal.ts';
import { checkRedis } from './checkServices.ts';

it('refuses an invalid REDIS_URL with the message of the configuration', async () => {
  const refusal: unknown = await checkRedis('unix://run/redis.sock').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).message).toContain(
    'REDIS_URL: must begin with redis:// or rediss://, or be unix:///path/to/redis.sock',
  );
});
