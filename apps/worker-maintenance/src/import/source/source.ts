import type { Draft, DraftFile, DraftInclude } from '@bindery/content/import';
import type { Outbound } from '@bindery/outbound';
import type { Gathering } from '../gathering.ts';

/** What a source gives: pages, and the files that may belong to them. */
export type SourceContent = { drafts: Draft[]; files: DraftFile[]; includes?: DraftInclude[] };

/** What is fetched for a source, or was uploaded in its place. */
export type SourceBytes = { url: URL; type: string; charset: string | undefined; bytes: Buffer };

export type SourceContext = Gathering & { outbound: Outbound };
