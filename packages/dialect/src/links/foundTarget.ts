/** The use of a target. */
export type TargetUse = 'link' | 'image' | 'file' | 'reusable-content' | 'content-ref' | 'openapi';

/** A replacement of a piece of source. */
export type Edit = { start: number; end: number; text: string };

/** A target in a source, with its replacement. */
export type FoundTarget = {
  target: string;
  use: TargetUse;
  start: number;
  end: number;
  /** Returns the source of another target between `start` and `end`. */
  write: (target: string) => string;
  /** Returns the edits that reduce the link to its text; absent if it has none. */
  shown?: () => Edit[];
};
