import type { ClientSession } from '@bindery/models';
import type { PresentVersion } from '../http/scope.ts';

/** The part of a mongoose model that this needs. */
type Versioned = {
  findOne(
    filter: object,
    projection: object,
  ): { session(session: ClientSession | null): { lean(): PromiseLike<unknown> } };
};

/** How the present version of a record is read; one from before versions were counted has the first. */
export function versionOf(model: Versioned, filter: { _id: string } | object): PresentVersion {
  return async (session) => {
    const record = (await model
      .findOne(filter, { version: 1 })
      .session(session ?? null)
      .lean()) as { version?: number } | null;
    return record ? (record.version ?? 1) : undefined;
  };
}
