import { ApiError, notFound } from '@bindery/contract';
import { serialized, Site, withTransaction, type ClientSession, type SiteRecord } from '@bindery/models';

/** So much has room on one site: its structure is read as a whole. */
export const siteLimits = { siteSpaces: 2_000, sections: 500, groups: 200 } as const;

/**
 * Runs a transaction that changes the structure of a site. It writes the site first, so that no two of one
 * site commit side by side, in whatever processes they run: each sees what the one before did, and what it
 * checks still holds when it ends.
 *
 * @param work  gets the site as it is now; may run more than once, so it must have no other effects
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
