import { type Collection, MongoServerError, ObjectId } from 'mongodb';
import { removedPrefix } from './storedItems.ts';

/** A file of GridFS; with `removedAt` it can no longer be found by its key. */
export type FileRecord = { _id: ObjectId; filename: string; length: number; removedAt?: Date };

const hourMs = 60 * 60 * 1000;

/**
 * Removes the chunks of uploads without a file, whose process died before it wrote one.
 *
 * Chunks have no date, but the id of an upload begins with its start time. So the index on these ids finds
 * the uploads of an hour, with one entry for each upload.
 *
 * A removed file is inserted in place of the missing one: an upload that resumes fails on it, instead of
 * ending as a file without its bytes. `clearRemoved` removes that file.
 *
 * @returns the number of uploads cleared
 */
export async function clearLeftovers(
  { files, chunks }: { files: Collection<FileRecord>; chunks: Collection<{ files_id: ObjectId }> },
  { after, before }: { after: Date; before: Date },
): Promise<number> {
  let cleared = 0;
  const end = idAt(before);
  for (let from = idAt(after); ;) {
    const first = await chunks.findOne(
      { files_id: { $gte: from, $lt: end } },
      { projection: { _id: 0, files_id: 1 }, sort: { files_id: 1 } },
    );
    if (!first) return cleared;
    const hourLater = idAt(new Date(first.files_id.getTimestamp().getTime() + hourMs));
    const to = hourLater.toHexString() < end.toHexString() ? hourLater : end;
    const uploads = await chunks.distinct('files_id', { files_id: { $gte: first.files_id, $lt: to } });
    const ended = new Set(
      (await files.find({ _id: { $in: uploads } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) =>
        _id.toHexString(),
      ),
    );
    for (const upload of uploads) {
      if (ended.has(upload.toHexString()) || !(await writeRemoved(files, upload))) continue;
      await chunks.deleteMany({ files_id: upload });
      cleared += 1;
    }
    from = to;
  }
}

/** The lowest id made at this time or later. */
function idAt(time: Date): ObjectId {
  const seconds = Math.max(0, Math.floor(time.getTime() / 1_000));
  return ObjectId.createFromHexString(seconds.toString(16).padStart(8, '0') + '0'.repeat(16));
}

/** @returns whether the upload still had no file */
async function writeRemoved(files: Collection<FileRecord>, _id: ObjectId): Promise<boolean> {
  const filename = removedPrefix + _id.toHexString();
  try {
    await files.updateOne({ _id, filename }, [{ $set: { length: 0, removedAt: '$$NOW' } }], { upsert: true });
    return true;
  } catch (error) {
    // The upload has just ended.
    if (error instanceof MongoServerError && error.code === 11000) return false;
    throw error;
  }
}
