import { findRevision, recordMentions } from '@bindery/content';
import { Space, type SpaceRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';

/**
 * Reads the links of the documents that are new in a space: the first who asks for them would wait for that. Nothing depends on it; who asks has
 * what is missing read.
 */
export async function readLinks(id: string, { logger, signal }: { logger: Logger; signal: AbortSignal }): Promise<void> {
  try {
    const space = await Space.findOne({ _id: id, isDeleted: false }, { revision: 1 }).lean<SpaceRecord>();
    const revision = space && (await findRevision(id, space.revision));
    if (revision) await recordMentions(revision, { readsAll: true, signal });
  } catch (error) {
    if (!signal.aborted)
      logger.warn({ err: error, space: id }, 'the links of a space could not be read; they are when somebody asks for them');
  }
}
