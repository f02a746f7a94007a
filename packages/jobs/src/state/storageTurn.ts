import { newId } from '@bindery/runtime';
import { holdLeadership, releaseLeadership } from './leadership.ts';

const name = 'content-removal';
const leaseMs = 60_000;

/**
 * The turn of whoever removes stored content, or needs that none is removed: a sweep of the storage, or a
 * backup. Only one has it at a time, and that of a process that died ends after a minute.
 */
export type StorageTurn = {
  /** Takes or keeps the turn; to be called every few seconds. @returns whether this one has it */
  hold: () => Promise<boolean>;
  release: () => Promise<void>;
};

export function storageTurn(): StorageTurn {
  const holder = newId();
  return {
    hold: holdLeadership(name, holder, leaseMs),
    release: async () => releaseLeadership(name, holder),
  };
}
