import { mongoDatabase } from '@bindery/models';
import type { Redis } from '@bindery/runtime';
import { BSON } from 'mongodb';

/** Dumps all keys and values of a Redis database as text, to search it for secrets. */
export async function dumpRedis(redis: Redis): Promise<string> {
  const keys = await redis.keys('*');
  const values = await Promise.all(
    keys.map(async (key) => {
      const type = await redis.type(key);
      if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
      if (type === 'list') return JSON.stringify(await redis.lrange(key, 0, -1));
      if (type === 'zset') return JSON.stringify(await redis.zrange(key, '0', '-1'));
      if (type === 'set') return JSON.stringify(await redis.smembers(key));
      if (type === 'stream') return JSON.stringify(await redis.xrange(key, '-', '+'));
      return (await redis.get(key)) ?? '';
    }),
  );
  return [...keys, ...values].join('\n');
}

/** Finds the collections whose documents contain a text anywhere, including binary fields. */
export async function findCollectionsWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { collectionName } of await mongoDatabase().collections()) {
    for await (const document of mongoDatabase().collection(collectionName).find()) {
      if (!Buffer.from(BSON.serialize(document)).includes(text)) continue;
      found.push(collectionName);
      break;
    }
  }
  return found;
}
