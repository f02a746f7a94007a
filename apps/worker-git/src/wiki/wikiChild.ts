import { flushCompileCache } from 'node:module';
import type { GatheredContent } from '@bindery/content/import';
import { serveOneRequest } from '@bindery/runtime';
import { gatherWiki, type WikiEvent, type WikiRequest } from './gatherWiki.ts';

// The process that reads one wiki, then ends. It has no other way to the platform than its channel: no database, no queue, no keys.

// It will be killed, which is too late for writing down what was compiled.
flushCompileCache();

serveOneRequest<WikiRequest, WikiEvent, GatheredContent>(gatherWiki);
