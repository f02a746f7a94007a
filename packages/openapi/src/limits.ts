import type { ReadLimits } from './face.ts';

const megabyte = 1024 * 1024;

/** The largest of 2,639 published specifications has 47 MB, the deepest 34 levels. */
export const standardLimits: ReadLimits = {
  fileBytes: 32 * megabyte,
  totalBytes: 64 * megabyte,
  files: 3_000,
  depth: 100,
  aliases: 10_000,
  nodes: 5_000_000,
  findings: 1_000,
};
