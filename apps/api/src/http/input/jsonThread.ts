import { parentPort, workerData } from 'node:worker_threads';
import { readJsonBytes, type BodyLimits } from './jsonBytes.ts';

// A thread of parseOnThread: parses one body, then ends.
const { bytes, limits } = workerData as { bytes: Uint8Array; limits: BodyLimits };
parentPort?.postMessage(readJsonBytes(bytes, limits));
