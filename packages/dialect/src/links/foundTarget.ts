/** What a target is for. */
export type TargetUse = 'link' | 'image' | 'file' | 'reusable-content' | 'content-ref' | 'openapi';

/** A piece of source that something else stands in for. */
export type Edit = { start: number; end: number; text: string };

/** A target in a source, and how to put another in its place. */
export type FoundTarget = {
  target: string;
  use: TargetUse;
  start: number;
  end: number;
  /** The source of another target between `start` and `end`. */
  write: (target: string) => string;
  /** What makes plain text of what leads there; absent where there is no text. */
  shown?: () => Edit[];
};
