import { flushCompileCache } from 'node:module';
import { serveOneRequest } from '@bindery/runtime';
import { gather } from './gather.ts';
import type { GatherEvent, GatherRequest } from './gathering.ts';
import type { GatheredContent } from '@bindery/content/import';

// The process that reads one import, then ends. It has no other way to the platform than its channel: no database, no queue, no keys.

// It will be killed, which is too late for writing down what was compiled.
flushCompileCache();

serveOneRequest<GatherRequest, GatherEvent, GatheredContent>(gather);
