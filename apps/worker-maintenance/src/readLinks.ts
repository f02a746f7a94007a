import { findRevision, readUnindexedLinks } from '@bindery/content';
import { Space, type SpaceRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';

/**
 * Reads the links of a space that its index has not read in advance, so that the first request for them need
 * not wait. Optional: a request reads missing links itself.
 */
export async function readLinks(
  id: string,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  try {
    const space = await Space.findOne({ _id: id, isDeleted: false }, { revision: 1 }).lean<SpaceRecord>();
    const revision = space && (await findRevision(id, space.revision));
    if (revision) await readUnindexedLinks(revision, { signal });
  } catch (error) {
    if (!signal.aborted)
      logger.warn(
        { err: error, space: id },
        'the links of a space could not be read; they are when somebody asks for them',
      );
  }
}
