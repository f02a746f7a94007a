// Runs in each test worker before the test file: databases of its own, so that files that run side by side do not take each other's jobs.
import { inject } from 'vitest';

const worker = process.env.VITEST_POOL_ID ?? '1';
const mongodb = new URL(inject('mongodbOrigin'));
mongodb.pathname = `/t${worker}`;

process.env.MONGODB_URI = mongodb.href;
process.env.REDIS_URL = `${inject('redisOrigin')}/${worker}`;
process.env.BINDERY_SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
process.env.LOG_LEVEL ??= 'warn';
