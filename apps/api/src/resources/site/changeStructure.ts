import { ApiError, notFound } from '@bindery/contract';
import { serialized, Site, withTransaction, type ClientSession, type SiteRecord } from '@bindery/models';

/** Maximum sizes: the structure of a site is always loaded as a whole. */
export const siteLimits = { siteSpaces: 2_000, sections: 500, groups: 200 } as const;

/**
 * Runs a transaction that changes the structure of a site. It writes to the site first, so that two such
 * transactions never commit concurrently, in any process: each sees the result of the one before, and its
 * checks are still true when it commits.
 *
 * @param work  gets the current site; may run more than once, so it must have no other effects
 */
export async function changeStructure<T>(
  { _id }: Pick<SiteRecord, '_id'>,
  work: (site: SiteRecord, session: ClientSession) => Promise<T>,
): Promise<T> {
  return serialized(`site:${_id}`, async () =>
    withTransaction(async (session) => {
      const site = await Site.findOneAndUpdate(
        { _id },
        { $inc: { structureVersion: 1 } },
        { session, returnDocument: 'after' },
      ).lean<SiteRecord>();
      if (!site) throw notFound('site', _id);
      return work(site, session);
    }),
  );
}

/** @throws conflict when the site is full */
export function requireRoom(what: keyof typeof siteLimits, count: number): void {
  if (count <= siteLimits[what]) return;
  const words = { siteSpaces: 'site spaces', sections: 'sections', groups: 'section groups' }[what];
  throw new ApiError('conflict', `A site has at most ${siteLimits[what]} ${words}.`, {
    action: 'Remove some, or use another site.',
  });
}
