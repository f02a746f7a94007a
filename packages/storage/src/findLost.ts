import type { Files } from './fileRecord.ts';
import type { ObjectClient } from './s3/objectClient.ts';

/**
 * Finds the keys of files whose object is not in the bucket: compares the records with the list of the
 * bucket, both in the order of objects, without reading one.
 */
export async function* findLost({
  files,
  client,
}: {
  files: Files;
  client: ObjectClient | undefined;
}): AsyncIterable<string> {
  if (!client) return;
  const records = files
    .find({ object: { $gt: '' }, removedAt: { $exists: false } }, { projection: { filename: 1, object: 1 } })
    .sort({ object: 1 });
  let listed = new Set<string>();
  let last = '';
  for await (const { filename, object = '' } of records) {
    while (last < object) {
      const names = await client.list(last);
      listed = new Set(names);
      last = names.at(-1) ?? object;
    }
    if (listed.has(object)) continue;
    // The list may be older than the record. The id in front is unique, so the next name is the object.
    const [now] = await client.list(object.slice(0, object.indexOf('-')), 1);
    if (now !== object) yield filename;
  }
}
