import type { Binary, Collection, ObjectId } from 'mongodb';

/** A stored file, whose bytes are chunks of GridFS. */
export type FileRecord = {
  _id: ObjectId;
  /** The key of the file; without a reader under this key, `~` and its id. */
  filename: string;
  length: number;
  uploadDate?: Date;
  /** The bytes of each chunk but the last. */
  chunkSize?: number;
  unreachableSince?: Date;
  /** The file can no longer be found by its key. */
  removedAt?: Date;
};

export type Files = Collection<FileRecord>;

/** A chunk of a file in GridFS. */
export type ChunkRecord = { _id: ObjectId; files_id: ObjectId; n: number; data: Binary };
