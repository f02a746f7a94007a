import { ApiError, invalid, type UpdateSite } from '@bindery/contract';
import {
  claimProxy,
  hostOfProxy,
  isDuplicateKey,
  ifListedHostIsFree,
  proveSiteHost,
  refreshSpaceVisibility,
  Site,
  SiteSection,
  SiteSpace,
  type ClientSession,
  type SiteRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { changeStructure } from './changeStructure.ts';
import { givenPath } from './paths.ts';

/**
 * Changes the given fields of a site.
 *
 * @param provenHosts  the hosts that the operator has listed as proven
 * @throws conflict when another site of the organization has the basename; invalid_request when a default is
 *   no part of the site
 */
export async function updateSite(
  site: SiteRecord,
  { body, provenHosts }: { body: UpdateSite; provenHosts: readonly string[] },
): Promise<SiteRecord> {
  const {
    title,
    visibility,
    basename,
    agentsContext,
    adaptiveContent,
    proxy,
    defaultSiteSpace,
    defaultSiteSection,
  } = body;
  const fields = compact({
    title: title?.trim(),
    visibility,
    basename: basename === undefined ? undefined : givenPath(basename),
    agentsContext,
    adaptiveContent,
  });
  const isUnchanged =
    Object.keys(fields).length === 0 &&
    proxy === undefined &&
    defaultSiteSpace === undefined &&
    defaultSiteSection === undefined;
  if (isUnchanged) return site;
  try {
    const written = await changeStructure(site, async (fresh, session) => {
      const defaults = await changeDefaults(fresh, { defaultSiteSpace, defaultSiteSection }, session);
      const proxies = proxy !== undefined && (await claimProxy(fresh, withLowerCaseHost(proxy), session));
      const changed = await changeRecord<SiteRecord>(
        Site,
        fresh,
        { ...fields, ...proxies, ...defaults },
        { session },
      );
      if (visibility !== undefined && fresh.isPublished && visibility !== fresh.visibility)
        await refreshVisibilityOn(fresh, session);
      return changed;
    });
    return proxy ? await withListedHost(written, provenHosts) : written;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ApiError('conflict', 'Another site of the organization has this basename.', {
      action: 'Choose another `basename`.',
    });
  }
}

function withLowerCaseHost(proxy: string | null): string | undefined {
  return proxy?.replace(/^[^/]+/, (host) => host.toLowerCase());
}

/**
 * Proves a host that the operator has listed, without an external check: it belongs to the first organization
 * that uses it, as here or as a custom hostname.
 */
async function withListedHost(site: SiteRecord, provenHosts: readonly string[]): Promise<SiteRecord> {
  const host = site.pendingProxy === undefined ? undefined : hostOfProxy(site.pendingProxy);
  if (host === undefined || !provenHosts.includes(host)) return site;
  const { organization } = site;
  await proveSiteHost({ host, organization }, { condition: ifListedHostIsFree({ host, organization }) });
  return (await Site.findById(site._id).lean<SiteRecord>()) ?? site;
}

/** Publishes or unpublishes a site; a site that is already in that state stays unchanged. */
export async function publishSite(
  site: Pick<SiteRecord, '_id'>,
  { isPublished }: { isPublished: boolean },
): Promise<SiteRecord> {
  return changeStructure(site, async (fresh, session) => {
    if (fresh.isPublished === isPublished) return fresh;
    // Requests the check of the host now, because publishing a site means that its host is ready.
    if (isPublished && fresh.pendingProxy !== undefined) await claimProxy(fresh, fresh.pendingProxy, session);
    const changed = await changeRecord<SiteRecord>(Site, fresh, { isPublished }, { session });
    await refreshVisibilityOn(fresh, session);
    return changed;
  });
}

/** Returns the changed defaults of the site; writes the default of a section itself. */
async function changeDefaults(
  site: SiteRecord,
  { defaultSiteSpace, defaultSiteSection }: Pick<UpdateSite, 'defaultSiteSpace' | 'defaultSiteSection'>,
  session: ClientSession,
): Promise<Pick<Partial<SiteRecord>, 'defaultSection' | 'defaultSiteSpace'>> {
  if (
    defaultSiteSection !== undefined &&
    !(await SiteSection.exists({ _id: defaultSiteSection, site: site._id }).session(session))
  )
    throw invalid('body.defaultSiteSection', 'is not the id of a section of this site.');
  const section = defaultSiteSection ?? site.defaultSection;
  const asSection = defaultSiteSection !== undefined && { defaultSection: defaultSiteSection };
  if (defaultSiteSpace === undefined) return { ...asSection };
  if (
    !(await SiteSpace.exists({ _id: defaultSiteSpace, siblingsOf: section ?? site._id }).session(session))
  ) {
    const place = section === undefined ? 'of this site' : 'of the default section of this site';
    throw invalid('body.defaultSiteSpace', `is not the id of a site space ${place}.`);
  }
  if (section === undefined) return { defaultSiteSpace };
  await SiteSection.updateOne(
    { _id: section },
    { $set: { defaultSiteSpace }, $inc: { version: 1 } },
    { session },
  );
  return { ...asSection };
}

async function refreshVisibilityOn({ _id }: Pick<SiteRecord, '_id'>, session: ClientSession): Promise<void> {
  await refreshSpaceVisibility(await SiteSpace.distinct('space', { site: _id }).session(session), session);
}
