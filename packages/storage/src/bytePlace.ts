import type { Readable, Writable } from 'node:stream';
import { MongoServerError, type ObjectId } from 'mongodb';
import { removedPrefix } from './storedItems.ts';
import type { FileRecord, Files } from './fileRecord.ts';

/** Where bytes are stored: GridFS or S3. The records of the files are in MongoDB. */
export type BytePlace = {
  /**
   * Begins to store bytes for a key. At the end of the stream all of them are stored, and `save` writes the
   * record; if it fails, the stream fails.
   */
  begin(key: string, save: (file: FileRecord) => Promise<void>): Upload;
  /** Reads a file, whole or from `start` to before `end`. */
  read(file: FileRecord, range?: { start: number; end: number }): Readable;
  /** Removes the bytes of these files, for good. May run twice. */
  free(files: readonly FileRecord[]): Promise<void>;
  /** Removes the bytes of uploads without a record that began between two times. @returns their number */
  clearLeftovers(began: Began): Promise<number>;
};

export type Upload = {
  stream: Writable;
  /** Removes what was stored of the bytes, after the stream failed for this reason. */
  abort(reason?: unknown): Promise<void>;
};

export type Began = { after: Date; before: Date };

/**
 * Writes a removed file in place of the missing one: an upload that resumes fails on it, instead of ending as
 * a file without its bytes. `clearRemoved` removes that file.
 *
 * @returns whether the upload still had no file
 */
export async function writeRemoved(
  files: Files,
  { _id, object }: { _id: ObjectId; object?: string },
): Promise<boolean> {
  const filename = removedPrefix + _id.toHexString();
  const removed = { length: 0, removedAt: '$$NOW', ...(object !== undefined && { object }) };
  try {
    await files.updateOne({ _id, filename }, [{ $set: removed }], { upsert: true });
    return true;
  } catch (error) {
    // The upload has just ended.
    if (error instanceof MongoServerError && error.code === 11000) return false;
    throw error;
  }
}
