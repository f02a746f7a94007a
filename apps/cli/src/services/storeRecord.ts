import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The program that made a store's data: recorded beside the data, so that the next start uses the same. */
export type StoreRecord = {
  binary: string;
  version: readonly [number, number, number];
  /**
   * The address of MongoDB in the data. Absent in the record of an earlier version, which listened on a port.
   */
  socket?: string;
  /** The major version of MongoDB whose format the data has; a newer program may have opened it since. */
  dataMajor: number;
};

export async function readStoreRecord(folder: string, id: string): Promise<StoreRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordPath(folder, id), 'utf8')) as StoreRecord;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeStoreRecord(folder: string, id: string, record: StoreRecord): Promise<void> {
  const path = recordPath(folder, id);
  await writeFile(`${path}.new`, `${JSON.stringify(record)}\n`);
  await rename(`${path}.new`, path);
}

function recordPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
