import type { ClientSession } from '../database/connection.ts';
import { Site, SiteSection, SiteSpace, type SiteSpaceRecord } from './site.ts';
import { refreshSpaceVisibility } from './spaceVisibility.ts';

/**
 * Removes site spaces: these, or all that show these spaces. When the default of a site or a section is
 * removed, the next site space in order becomes the default; after the last one, the first.
 */
export async function removeSiteSpaces(
  which: { siteSpaces: readonly string[] } | { spaces: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const filter = 'spaces' in which ? { space: { $in: which.spaces } } : { _id: { $in: which.siteSpaces } };
  const removed = await SiteSpace.find(filter).session(session).lean<SiteSpaceRecord[]>();
  if (removed.length === 0) return;
  for (const [site, gone] of Map.groupBy(removed, (siteSpace) => siteSpace.site)) {
    await Site.updateOne(
      { _id: site },
      { $inc: { siteSpaces: -gone.length, structureVersion: 1 } },
      { session },
    );
  }
  await SiteSpace.deleteMany({ _id: { $in: removed.map(({ _id }) => _id) } }, { session });
  for (const [place, gone] of Map.groupBy(removed, ({ siblingsOf }) => siblingsOf)) {
    await replaceDefault(place, gone, session);
    if (isInSection(gone)) await SiteSection.updateOne({ _id: place }, { $inc: { version: 1 } }, { session });
  }
  await refreshSpaceVisibility(
    removed.map(({ space }) => space),
    session,
  );
}

function isInSection([first]: readonly SiteSpaceRecord[]): boolean {
  return first?.section !== undefined;
}

async function replaceDefault(
  place: string,
  gone: readonly SiteSpaceRecord[],
  session: ClientSession,
): Promise<void> {
  const model = isInSection(gone) ? SiteSection : Site;
  for (const { _id, position } of gone) {
    const next = await SiteSpace.findOne({ siblingsOf: place, position: { $gt: position } })
      .sort({ position: 1 })
      .session(session)
      .lean<SiteSpaceRecord>();
    const first =
      next ??
      (await SiteSpace.findOne({ siblingsOf: place })
        .sort({ position: 1 })
        .session(session)
        .lean<SiteSpaceRecord>());
    const change = first ? { $set: { defaultSiteSpace: first._id } } : { $unset: { defaultSiteSpace: 1 } };
    await (model as typeof Site).updateOne({ _id: place, defaultSiteSpace: _id }, change, { session });
  }
}
