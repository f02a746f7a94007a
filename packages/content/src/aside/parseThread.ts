import { parentPort } from 'node:worker_threads';
import { parseDocument } from '../document/parseDocument.ts';

/** What runs on a thread of parseAside.ts: a text comes in, its tree goes out. */
parentPort?.on('message', (markdown: string) => parentPort?.postMessage(parseDocument(markdown)));
