import type { PackedContent } from '@bindery/content/import';
import type { ImportSource } from '@bindery/contract';
import type { OutboundSettings } from '@bindery/outbound';

/** The request to the reading process, sent only through its channel. */
export type GatherRequest = {
  source: Exclude<ImportSource, 'github-wiki'>;
  /** The URL that the process fetches, or uploaded files in its place. */
  from: { url: string } | { files: { path: string; name: string }[] };
  outbound: OutboundSettings;
  /** Path of the spool file that it creates. */
  spool: string;
};

/** The events of a reading. `path` names a page or a file, never a host. */
export type GatherEvent =
  | { kind: 'stage'; stage: 'fetch' | 'read' | 'images'; done?: number; total?: number }
  | { kind: 'warning'; message: string; path?: string };

/** The works of the process that reads an import. */
export type GatherWork = {
  gather: { request: GatherRequest; event: GatherEvent; asks: object; result: PackedContent };
};

/** The context of every source reader. */
export type Gathering = {
  tell(event: GatherEvent): void;
  /** Logs and counts content that was found but skipped. */
  skip(message: string, path?: string): void;
  /** How a refusal names a file that was uploaded, such as `The file a.zip`. */
  uploaded?: string | undefined;
};
