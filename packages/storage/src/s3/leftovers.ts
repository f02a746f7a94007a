import { ObjectId } from 'mongodb';
import { writeRemoved, type Began } from '../bytePlace.ts';
import type { Files } from '../fileRecord.ts';
import { idAt } from '../idAt.ts';
import { probeName } from './checkAccess.ts';
import type { ObjectClient } from './objectClient.ts';

/**
 * Removes the objects without a file that began between two times, and their uploads in parts: of processes
 * that died before they wrote one. Names begin with the id of the upload, which begins with its time, so only
 * the objects of that time are listed.
 *
 * @param owner  the name of this database in names of objects: those of another one have their files there
 * @returns the number of uploads cleared
 */
export async function clearObjectLeftovers(
  { client, files, owner }: { client: ObjectClient; files: Files; owner: string },
  { after, before }: Began,
): Promise<number> {
  const end = idAt(before).toHexString();
  const begin = idAt(after).toHexString();
  let cleared = 0;
  const clear = async (objects: readonly string[]): Promise<string[]> => {
    const lost = await withoutFile(files, objects);
    const ours: string[] = [];
    for (const object of lost)
      if (await writeRemoved(files, { _id: idOf(object), object })) ours.push(object);
    cleared += ours.length;
    return ours;
  };
  const isOwn = (name: string) => {
    const [id = '', by = ''] = name.split('-', 2);
    return /^[0-9a-f]{24}$/.test(id) && (by === owner || by === probeName);
  };

  for await (const { name, UploadId } of client.listParts()) {
    if (!isOwn(name) || name < begin || name >= end) continue;
    await clear([name]);
    // Also one that was cleared before: a part that was under way then may have arrived since.
    await client.abortParts(name, UploadId);
  }
  for (let last = begin; ;) {
    const names = await client.list(last);
    const due = names.filter((name) => name < end);
    for (const object of await clear(due.filter(isOwn))) await client.remove(object);
    if (due.length < names.length || names.length === 0) return cleared;
    last = names.at(-1)!;
  }
}

const idOf = (object: string): ObjectId => ObjectId.createFromHexString(object.slice(0, 24));

async function withoutFile(files: Files, objects: readonly string[]): Promise<string[]> {
  const ids = objects.map(idOf);
  const found = await files.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const stored = new Set(found.map(({ _id }) => _id.toHexString()));
  return objects.filter((object) => !stored.has(object.slice(0, 24)));
}
