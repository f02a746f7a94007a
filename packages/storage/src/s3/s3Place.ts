import type { BytePlace } from '../bytePlace.ts';
import type { Files } from '../fileRecord.ts';
import { clearObjectLeftovers } from './leftovers.ts';
import type { ObjectClient } from './objectClient.ts';
import { readObject } from './readObject.ts';
import { writeObject } from './writeObject.ts';

/** Stores bytes in the objects of a bucket. */
export function createS3Place(client: ObjectClient, files: Files): BytePlace {
  return {
    begin: (key, save) => writeObject(client, key, save),
    read: (file, range) => readObject(client, file, range),
    async free(removed) {
      // One by one: not all servers take a request for many.
      await Promise.all(removed.map(async ({ object }) => client.remove(object!)));
    },
    clearLeftovers: async (began) => clearObjectLeftovers({ client, files }, began),
  };
}
