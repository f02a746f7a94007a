import { z } from 'zod';
import { whole } from './parsers.ts';
import { isSentinelUrl, parseSentinelUrl } from './sentinelUrl.ts';

/** Whether the `%XX` in a URL are valid UTF-8 without NUL, which would end a path for the system. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

const secretKey = z
  .string()
  .regex(
    /^[0-9a-f]{64}$/i,
    'must be 64 hexadecimal characters (32 bytes); make one with `openssl rand -hex 32`',
  )
  .transform((hex) => Buffer.from(hex, 'hex'));

export const stores = {
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .refine(isDecodable, 'must have %XX for the bytes of UTF-8 only')
    .describe(
      'MongoDB, version 6 or later, a replica set (one node is enough). For a Unix socket, write its URL-encoded path as the host: `mongodb://%2Frun%2Fmongod.sock/bindery`.',
    ),
  REDIS_URL: z
    .string()
    .refine(
      (url) => !isSentinelUrl(url) || (isDecodable(url) && parseSentinelUrl(url) !== undefined),
      'must be redis+sentinel://[user:password@]host:port,host:port/name-of-the-primary, with ?db=N and &sentinelPassword=... at the end where needed',
    )
    .refine(
      (url) =>
        isSentinelUrl(url) ||
        (/^(rediss?:\/\/|unix:\/\/\/([^?#%\s]|%[0-9a-f]{2})+(\?db=\d{1,5})?$)/i.test(url) &&
          isDecodable(url)),
      'must begin with redis:// or rediss://, or be unix:///path/to/redis.sock, where ?db=N at the end chooses a database',
    )
    .describe(
      'Redis 6.2 or later or Valkey, with `maxmemory-policy noeviction`. It stores only the job queues, the rate limits, and when translation engines may be asked again. For a Unix socket: `unix:///run/redis.sock?db=0`. With Sentinel, name several sentinels and the primary: `redis+sentinel://:PASSWORD@s1:26379,s2:26379,s3:26379/mymaster?sentinelPassword=PASSWORD` (`rediss+sentinel` for TLS).',
    ),
  BINDERY_QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be lower case letters, digits and hyphens')
    .default('bindery')
    .describe('Prefix of every key in Redis, for installations that share one.'),
};

export const secrets = {
  BINDERY_SECRET_KEY: secretKey.describe(
    'Encrypts git credentials and signs URLs and page tokens: 64 hexadecimal characters. `npm start` creates one in the data folder.',
  ),
  BINDERY_SECRET_KEY_PREVIOUS: secretKey
    .optional()
    .describe('The previous key, to decrypt and verify data from before a key rotation.'),
  BINDERY_VISITOR_CLAIMS_KEY: z
    .string()
    .min(32, 'must be at least 32 characters; make one with `openssl rand -hex 32`')
    .optional()
    .describe(
      'HS256 key of the tokens that identify members to sites with authenticated visitors, at least 32 characters. By default there are no such tokens.',
    ),
};

export const storage = {
  BINDERY_REVISION_RETENTION_DAYS: whole(0, 36_500, 0).describe(
    'How long a revision is kept after a newer one, in days; revisions used by change requests, comments, sync points or jobs stay. 0 keeps the whole history.',
  ),
  BINDERY_STORAGE_QUOTA_MB: whole(0, 1_000_000_000, 51_200).describe(
    'How much one organization may store of uploads, files in its content, PDFs and specifications, in megabytes. 0 is no limit.',
  ),
  BINDERY_STORAGE_SWEEP_INTERVAL_MS: whole(100, 2_592_000_000, 21_600_000).describe(
    'How often the maintenance worker looks for unreferenced content, in milliseconds.',
  ),
  BINDERY_STORAGE_GRACE_HOURS: whole(4, 8_760, 24).describe(
    'How long content must have been unreferenced before it is removed, in hours; must exceed the time limit of every job.',
  ),
};
