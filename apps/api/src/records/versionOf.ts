import type { ClientSession } from '@bindery/models';
import type { PresentVersion } from '../http/scope.ts';

/** The parts of a mongoose model used here. */
type Versioned = {
  findOne(
    filter: object,
    projection: object,
  ): { session(session: ClientSession | null): { lean(): PromiseLike<unknown> } };
};

/**
 * Returns a function that reads the present version of a record. Records older than versions have version 0,
 * so that their first change counts.
 */
export function versionOf(model: Versioned, filter: { _id: string } | object): PresentVersion {
  return async (session) => {
    const record = (await model
      .findOne(filter, { version: 1 })
      .session(session ?? null)
      .lean()) as { version?: number } | null;
    return record ? (record.version ?? 0) : undefined;
  };
}
