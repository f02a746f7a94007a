import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { ContainerNeeds } from './description.ts';

/** The limits of this process; undefined without a limit. */
export type ContainerLimits = {
  memoryMb: number | undefined;
  temporaryMb: number;
  isTemporaryInMemory: boolean;
};

const MB = 1024 * 1024;
/** The `f_type` of tmpfs in Linux. */
const tmpfsType = 0x01021994;
/** Without a limit, Linux reports one larger than any machine. */
const unlimitedBytes = 2 ** 60;

export async function readContainerLimits(): Promise<ContainerLimits> {
  const memoryBytes = process.constrainedMemory();
  const { type, blocks, bsize } = await statfs(tmpdir());
  return {
    memoryMb: memoryBytes > 0 && memoryBytes < unlimitedBytes ? Math.floor(memoryBytes / MB) : undefined,
    temporaryMb: Math.floor((blocks * bsize) / MB),
    isTemporaryInMemory: type === tmpfsType,
  };
}

/**
 * Describes each resource that is too small for the most jobs at once; empty if everything fits. Such a
 * worker still starts: small jobs work, and large ones fail by themselves as long as their process reaches
 * its own limit before the container does.
 */
export function findShortages(
  needs: ContainerNeeds,
  { memoryMb, temporaryMb, isTemporaryInMemory }: ContainerLimits,
): string[] {
  const shortages: string[] = [];
  const fix = `give it more, or lower ${needs.concurrencyVariable}`;
  const wantedMb = needs.memoryMb + (isTemporaryInMemory ? needs.temporaryMb : 0);
  if (memoryMb !== undefined && memoryMb < wantedMb)
    shortages.push(
      `This worker has ${memoryMb} MB of memory, and ${needs.jobsAtOnce} jobs at once may take ${wantedMb} MB with it: ${fix}.`,
    );
  if (temporaryMb < needs.temporaryMb)
    shortages.push(
      `The temporary folder holds ${temporaryMb} MB, and ${needs.jobsAtOnce} jobs at once may take ${needs.temporaryMb} MB: ${fix}.`,
    );
  return shortages;
}
