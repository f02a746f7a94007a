import type { PackedContent } from '@bindery/content/import';
import type { ImportSource } from '@bindery/contract';
import type { OutboundSettings } from '@bindery/outbound';

/** What the reading process is told. It goes there by its channel only. */
export type GatherRequest = {
  source: Exclude<ImportSource, 'github-wiki'>;
  /** Fetched by the process itself; or files that are there already, in the place of what would be fetched. */
  from: { url: string } | { files: { path: string; name: string }[] };
  outbound: OutboundSettings;
  /** Path of the spool file that it makes. */
  spool: string;
};

/** What it tells while it reads. `path` names a page or a file, never a host. */
export type GatherEvent =
  | { kind: 'stage'; stage: 'fetch' | 'read' | 'images'; done?: number; total?: number }
  | { kind: 'warning'; message: string; path?: string };

/** The works of the process that reads an import. */
export type GatherWork = { gather: { request: GatherRequest; event: GatherEvent; asks: object; result: PackedContent } };

/** What every reader of a source is given. */
export type Gathering = {
  tell(event: GatherEvent): void;
  /** Something that was found and could not be taken: named in the job's log, and counted. */
  skip(message: string, path?: string): void;
};
