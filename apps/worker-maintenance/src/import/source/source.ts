import type { Draft, DraftFile, DraftInclude } from '@bindery/content/import';
import type { Outbound } from '@bindery/outbound';
import type { Gathering } from '../gathering.ts';

/** The result of reading a source: pages, and the files that may belong to them. */
export type SourceContent = { drafts: Draft[]; files: DraftFile[]; includes?: DraftInclude[] };

/** The bytes of a source, fetched or uploaded. */
export type SourceBytes = { url: URL; type: string; charset: string | undefined; bytes: Buffer };

export type SourceContext = Gathering & { outbound: Outbound };
