import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { readJsonBytes, type BodyLimits } from './jsonBytes.ts';

// A thread of parseOnThread: parses one body, then ends.
const { bytes, limits } = workerData as { bytes: Uint8Array; limits: BodyLimits };
const parsed = readJsonBytes(bytes, limits);
parentPort?.postMessage(
  'problem' in parsed ? parsed : { ...parsed, digest: hash('sha256', bytes, 'base64url') },
);
