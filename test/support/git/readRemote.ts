import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createRepositoryReader,
  type ReadControl,
} from '../../../apps/worker-git/src/child/repositoryReader.ts';
import { allChildrenOf } from '../processes/appProcess.ts';
import { commandOf, environmentOf, peakBytesOf } from '../processes/procfs.ts';
import { createReaderHere } from './readHere.ts';
import { pageLine } from '../../../apps/worker-git/src/child/pageLine.ts';
import { toLines } from '../../../apps/worker-git/src/child/lines.ts';
import type {
  KnownBlobs,
  RepositoryReading,
  RepositoryRequest,
  WholeReading,
} from '../../../apps/worker-git/src/child/repositoryReading.ts';

const MB = 1024 * 1024;

export const gitLimits: RepositoryRequest['limits'] = {
  memoryMb: 512,
  timeoutMs: 60_000,
  maxPackBytes: 250 * MB,
  maxPageBytes: 10 * MB,
  maxFileBytes: 25 * MB,
  maxEntries: 50_000,
  maxTotalBytes: 512 * MB,
};

export type RemoteReader = {
  /** Reads with the usual settings; the remote's address is allowed. Each reading has a folder of its own. */
  read(
    request: Partial<RepositoryRequest> & { url: string },
    control?: Partial<ReadControl>,
  ): Promise<RepositoryReading>;
  /** The same for a full reading, with its spooled blobs by oid. */
  readAll(
    request: Partial<RepositoryRequest> & { url: string },
    control?: Partial<ReadControl>,
  ): Promise<WholeReading & { blobs: Map<string, Buffer> }>;
  close(): Promise<void>;
};

/** @param hasProcesses  reads each in a process of its own, as in production, instead of in this one */
export function createRemoteReader({
  hasProcesses = true,
  prewarm = false,
  memoryMb = gitLimits.memoryMb,
} = {}): RemoteReader {
  const reader = hasProcesses ? createRepositoryReader({ prewarm, memoryMb }) : createReaderHere();
  const root = mkdtempSync(join(tmpdir(), 'bindery-git-reading-'));
  // The users of child processes need access through it.
  chmodSync(root, 0o711);
  const remote: RemoteReader = {
    read: (request, control) =>
      reader.read(
        {
          ref: 'refs/heads/main',
          projectDirectory: '',
          outbound: {
            allow: [URL.parse(request.url)?.host].filter((host) => host !== undefined),
            refused: [],
          },
          limits: gitLimits,
          workFolder: mkdtempSync(join(root, 'w-')),
          ...request,
        },
        { signal: new AbortController().signal, onStage: () => {}, ...control },
      ),
    readAll: async (request, control) => {
      const reading = await remote.read(request, control);
      if (reading.unchanged || !reading.content) throw new Error('The repository was not read whole.');
      const file = readFileSync(reading.spool.path);
      const blobs = [...reading.spool.blobs].map(([oid, { offset, length }]): [string, Buffer] => [
        oid,
        file.subarray(offset, offset + length),
      ]);
      return { ...reading, blobs: new Map(blobs) };
    },
    close: async () => {
      await reader.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return remote;
}

/** Returns the known blobs after a reading, for the next one. Without `last`, that reads all new content. */
export function knownOf({
  facts,
  spool,
  content,
  last,
}: WholeReading): KnownBlobs & { last: WholeReading['last'] } {
  return {
    pages: toLines(facts.map(([oid, found]) => [oid, pageLine(spool.blobs.get(oid)?.sha256 ?? '', found)])),
    files: toLines(content.files.map(({ git }) => [git.oid, '{}'])),
    last,
  };
}

/** Returns what any user of the machine can see of the reading processes started by this one. */
export function readingProcesses(): {
  pid: number;
  commandLine: string;
  environment: string;
  peakBytes: number;
}[] {
  return allChildrenOf(process.pid).flatMap(({ pid }) => {
    const commandLine = commandOf(pid);
    if (!commandLine.includes('repositoryChild')) return [];
    return [
      { pid, commandLine, environment: environmentOf(pid).join('\n'), peakBytes: peakBytesOf(pid) || 0 },
    ];
  });
}
