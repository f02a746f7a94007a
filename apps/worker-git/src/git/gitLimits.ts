import type { RemoteLimits } from '@bindery/git-remote';

/** Limits of one repository: the group `git` of the configuration. */
export type GitLimits = RemoteLimits & {
  /** Heap of the process that reads the repository. */
  memoryMb: number;
  maxPageBytes: number;
  maxFileBytes: number;
  /** The number of files and folders. */
  maxEntries: number;
  /** Sum of all objects, unpacked. */
  maxTotalBytes: number;
};

export const maxTreeDepth = 64;
/** The size of one tree object: a hundred thousand entries with long names. Its entries are read at once. */
export const maxTreeBytes = 16 * 1024 * 1024;
export const maxPathBytes = 1024;
export const maxNameBytes = 255;
