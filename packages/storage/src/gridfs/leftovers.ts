import type { Collection, ObjectId } from 'mongodb';
import { writeRemoved, type Began } from '../bytePlace.ts';
import type { ChunkRecord, Files } from '../fileRecord.ts';
import { idAt } from '../idAt.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Removes the chunks of uploads without a file, whose process died before it wrote one.
 *
 * Chunks have no date, but the id of an upload begins with its start time. So the index on these ids finds
 * the uploads of an hour, with one entry for each upload.
 *
 * @returns the number of uploads cleared
 */
export async function clearLeftovers(
  { files, chunks }: { files: Files; chunks: Collection<ChunkRecord> },
  { after, before }: Began,
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
    const uploads: ObjectId[] = await chunks.distinct('files_id', {
      files_id: { $gte: first.files_id, $lt: to },
    });
    const ended = new Set(
      (await files.find({ _id: { $in: uploads } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) =>
        _id.toHexString(),
      ),
    );
    for (const upload of uploads) {
      if (ended.has(upload.toHexString()) || !(await writeRemoved(files, { _id: upload }))) continue;
      await chunks.deleteMany({ files_id: upload });
      cleared += 1;
    }
    from = to;
  }
}
