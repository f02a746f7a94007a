import type { JobFeed } from '@bindery/jobs';
import { createOutbound, type Outbound } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';

/**
 * What handlers use beside the database and the queues: opened once by main.ts (or a test), before the app is made.
 * `stopping` aborts when the process is told to stop: answers that wait for something end then, and their clients ask another process.
 */
export type Platform = { config: Config; blobs: BlobStore; jobFeed: JobFeed; outbound: Outbound; stopping: AbortSignal };

let platform: Platform | undefined;

export function usePlatform(parts: Omit<Platform, 'outbound'>): Platform {
  const { allow, refused, caFile } = parts.config.outbound;
  platform = { ...parts, outbound: createOutbound({ allow, refused, caFile: caFile || undefined }) };
  return platform;
}

export function thePlatform(): Platform {
  if (!platform) throw new Error('usePlatform was not called.');
  return platform;
}

/** URL of an object of the API, from a path such as `/spaces/ID`. */
export function apiUrl(path: string): string {
  return `${thePlatform().config.api.publicUrl}/v1${path}`;
}

/** URL in the application. */
export function appUrl(path: string): string {
  return `${thePlatform().config.api.appUrl}${path}`;
}
