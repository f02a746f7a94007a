// Runs once in each test process: selects databases of its own, so that files that run concurrently do not
// take each other's jobs.
import { join } from 'node:path';
import fc from 'fast-check';
import { inject } from 'vitest';
import { suiteSeed } from './seededRandom.ts';

const worker = process.env.VITEST_POOL_ID ?? '1';
const mongodb = new URL(inject('mongodbOrigin'));
mongodb.pathname = `/t${worker}`;
const redis = new URL(inject('redisOrigin'));
redis.searchParams.set('db', worker);

process.env.MONGODB_URI = mongodb.href;
process.env.REDIS_URL = redis.href;
process.env.BINDERY_SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
process.env.LOG_LEVEL ??= 'warn';
// Organizations of other tests still exist: the number of concurrent jobs of one must not depend on them.
// fairness.test.ts tests that.
process.env.BINDERY_SLOTS_FOR_OTHERS = '0';
// Proxy hosts of tests that are not about their proof; siteHost.test.ts is.
process.env.BINDERY_PROVEN_HOSTS = 'www.example.com,www.acme.example';
// The fonts of the machine: a launcher that a test starts shall not download others.
process.env.BINDERY_PDF_FONTS ??= join(import.meta.dirname, '../fixtures/fonts.conf');
fc.configureGlobal({ seed: suiteSeed });
