import type { Db } from 'mongodb';
import type { BytePlace } from './bytePlace.ts';
import type { FileRecord, Files } from './fileRecord.ts';
import { createGridFsPlace } from './gridfs/gridFsPlace.ts';
import { createObjectClient } from './s3/objectClient.ts';
import { findOwner } from './s3/owner.ts';
import { createS3Place } from './s3/s3Place.ts';
import type { S3Settings } from './s3/settings.ts';

export const bucketName = 'blobs';

export type BlobPlace = 'gridfs' | 's3';

/** The places of bytes in one installation, of which S3 may not be set up. */
export type BlobPlaces = ReturnType<typeof createBlobPlaces>;

export function createBlobPlaces(database: Db, s3: S3Settings | undefined) {
  const files: Files = database.collection<FileRecord>(`${bucketName}.files`);
  const gridFs = createGridFsPlace(database, { bucketName, files });
  const client = s3 && createObjectClient(s3);
  const owner = findOwner(database);
  const inS3 = client && createS3Place(client, { files, owner });
  const at = (place: BlobPlace): BytePlace => {
    if (place === 'gridfs') return gridFs;
    if (inS3) return inS3;
    throw new Error('A file is in S3, which this process cannot reach: set BINDERY_S3_BUCKET.');
  };
  return {
    files,
    gridFs,
    /** The client of the bucket, when one is set up. */
    client,
    at,
    of: (file: FileRecord) => at(placeOf(file)),
    /** All places that are set up. */
    all: [gridFs, ...(inS3 ? [inS3] : [])],
  };
}

const placeOf = ({ object }: FileRecord): BlobPlace => (object === undefined ? 'gridfs' : 's3');
