import { faultPoint } from '@bindery/runtime';
import { Binary, ObjectId } from 'mongodb';
import type { Upload } from '../bytePlace.ts';
import type { FileRecord } from '../fileRecord.ts';
import { cutIntoPieces } from '../pieces.ts';
import { hashBlocks } from './blocks.ts';
import type { ObjectClient, Part } from './objectClient.ts';
import { ObjectStoreUnavailable } from './problems.ts';

/** A larger object is uploaded in parts of this size; blocks divide it. S3 takes 10,000 parts. */
const partBytes = 8 * 1024 * 1024;
/** An organization and a hash; the names of uploaded files may be longer. */
const longestKey = 110;

/**
 * Begins an upload to an object of its own, so that writers that died, and others of the same bytes, do no
 * harm. Its name begins with the time, so that leftovers of a day can be listed. Then it names the database
 * that removes it, and the key, so that files can be recognized without MongoDB.
 */
export function writeObject(
  { client, owner }: { client: ObjectClient; owner: () => Promise<string> },
  key: string,
  save: (file: FileRecord) => Promise<void>,
): Upload {
  const _id = new ObjectId();
  const nameObject = async () =>
    `${_id.toHexString()}-${await owner()}-${key.replaceAll(/[^\w.-]/g, '-').slice(0, longestKey)}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const hashes: Buffer[] = [];
  const parts: Part[] = [];
  let upload: string | undefined;
  let length = 0;

  const count = (bytes: Buffer) => {
    hashes.push(...hashBlocks(bytes));
    length += bytes.length;
  };
  const add = async (bytes: Buffer) => {
    const object = await nameObject();
    upload ??= await client.beginParts(object, signal);
    const part = { name: object, UploadId: upload, PartNumber: parts.length + 1 };
    parts.push(await client.putPart(part, bytes, signal));
  };
  const { stream, settled } = cutIntoPieces(partBytes, {
    async piece(bytes) {
      count(bytes);
      await add(bytes);
      await faultPoint('storage.part_written');
    },
    async end(rest) {
      const object = await nameObject();
      count(rest);
      if (upload === undefined) await client.put(object, rest, signal);
      else {
        if (rest.length > 0) await add(rest);
        await client.endParts(object, { UploadId: upload, Parts: parts }, signal);
      }
      await faultPoint('storage.object_written');
      const blocks = new Binary(Buffer.concat(hashes));
      await save({ _id, filename: key, length, uploadDate: new Date(), object, blocks });
    },
  });
  return {
    stream,
    // Ignores failed removals: leftovers are removed a day later.
    async abort(reason) {
      stopping.abort();
      await settled();
      const object = await nameObject().catch(() => undefined);
      if (reason instanceof ObjectStoreUnavailable || object === undefined) return;
      if (upload !== undefined) await client.abortParts(object, upload).catch(() => {});
      await client.remove(object).catch(() => {});
    },
  };
}
