import { ObjectId } from 'mongodb';

/** The lowest id made at this time or later: ids begin with the second in which they were made. */
export function idAt(time: Date): ObjectId {
  const seconds = Math.max(0, Math.floor(time.getTime() / 1_000));
  return ObjectId.createFromHexString(seconds.toString(16).padStart(8, '0') + '0'.repeat(16));
}
