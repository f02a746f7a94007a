import type { JobFeed } from '@bindery/jobs';
import { createOutbound, type Outbound } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createLinks, type Links } from './presenters/links.ts';

/**
 * Everything that handlers use beside the database and the queues. main.ts, or a test, opens it and passes it
 * to createApp.
 */
export type Platform = {
  config: Config;
  links: Links;
  blobs: BlobStore;
  jobFeed: JobFeed;
  outbound: Outbound;
  /** Aborts when the process stops: waiting answers end then, and their clients ask another process. */
  stopping: AbortSignal;
};

export function createPlatform(parts: Omit<Platform, 'outbound' | 'links'>): Platform {
  const { allow, refused, caFile } = parts.config.outbound;
  return {
    ...parts,
    links: createLinks(parts.config),
    outbound: createOutbound({ allow, refused, caFile: caFile || undefined }),
  };
}
