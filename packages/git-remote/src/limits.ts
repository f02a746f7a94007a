/** Limits of what one remote repository may send. */
export type RemoteLimits = {
  /** Time limit for all transfers together. */
  timeoutMs: number;
  maxPackBytes: number;
};

export const maxAdvertisementBytes = 5 * 1024 * 1024;

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}
