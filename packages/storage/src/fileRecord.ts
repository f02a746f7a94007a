import type { Binary, Collection, ObjectId } from 'mongodb';

/**
 * A stored file. Its bytes are in GridFS, or with `object` in S3; either way MongoDB decides which files
 * exist.
 */
export type FileRecord = {
  _id: ObjectId;
  /** The key of the file; without a reader under this key, `~` and its id. */
  filename: string;
  length: number;
  uploadDate?: Date;
  /** In GridFS: the bytes of each chunk but the last. */
  chunkSize?: number;
  /** In S3: the name of the object, below the prefix. */
  object?: string;
  /** In S3: the SHA-256 of each block of the bytes, one after the other. */
  blocks?: Binary;
  unreachableSince?: Date;
  /** The file can no longer be found by its key. */
  removedAt?: Date;
  /** The key names a copy in the other store since then. */
  replacedAt?: Date;
};

export type Files = Collection<FileRecord>;

/** A chunk of a file in GridFS. */
export type ChunkRecord = { _id: ObjectId; files_id: ObjectId; n: number; data: Binary };
