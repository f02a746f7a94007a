import type { BytePlace } from '../bytePlace.ts';
import type { Files } from '../fileRecord.ts';
import { clearObjectLeftovers } from './leftovers.ts';
import type { ObjectClient } from './objectClient.ts';
import { readObject } from './readObject.ts';
import { writeObject } from './writeObject.ts';

/** Stores bytes in the objects of a bucket. @param owner  returns the name under which this database does */
export function createS3Place(
  client: ObjectClient,
  { files, owner }: { files: Files; owner: () => Promise<string> },
): BytePlace {
  return {
    begin: (key, save) => writeObject({ client, owner }, key, save),
    read: (file, range) => readObject(client, file, range),
    async free(removed) {
      // One by one: not all servers take a request for many.
      await Promise.all(removed.map(async ({ object }) => client.remove(object!)));
    },
    clearLeftovers: async (began) => clearObjectLeftovers({ client, files, owner: await owner() }, began),
  };
}
