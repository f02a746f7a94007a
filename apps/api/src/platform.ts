import type { JobFeed } from '@bindery/jobs';
import { createOutbound, type Outbound } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';
import { createSamlReader, type SamlReader } from '@bindery/sign-in';
import type { BlobStore } from '@bindery/storage';
import { createLinks, type Links } from './presenters/links.ts';

/**
 * Dependencies of handlers, except the database and the queues. Opened by main.ts or a test and passed to
 * createApp.
 */
export type Platform = {
  config: Config;
  links: Links;
  blobs: BlobStore;
  jobFeed: JobFeed;
  outbound: Outbound;
  saml: SamlReader;
  /**
   * Aborts when the process stops: pending long-poll answers and streams end, and their clients turn to
   * another process.
   */
  stopping: AbortSignal;
};

export function createPlatform(parts: Omit<Platform, 'outbound' | 'links' | 'saml'>): Platform {
  const { allow, refused, caFile } = parts.config.outbound;
  return {
    ...parts,
    links: createLinks(parts.config),
    saml: createSamlReader(),
    outbound: createOutbound({ allow, refused, caFile: caFile || undefined }),
  };
}
