import { ApiError, type CreateSiteRedirect, type UpdateSiteRedirect } from '@bindery/contract';
import {
  SiteRedirect,
  type ClientSession,
  type SiteRedirectDestinationRecord,
  type SiteRedirectRecord,
} from '@bindery/models';
import { redirectPath, type SiteContext } from '@bindery/publishing';
import { compact, newId } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { addToTable, loadRedirectTable } from './redirectTable.ts';
import { resolveDestination } from './resolveDestination.ts';

/** Maximum per site, because finding loops requires reading all live redirects. */
export const maxRedirects = 10_000;

/**
 * @throws invalid_request for a destination outside the site and for a loop; conflict when the source already
 *   has a redirect
 */
export async function createRedirect(
  context: SiteContext,
  body: CreateSiteRedirect,
): Promise<SiteRedirectRecord> {
  const { site } = context;
  const destination = await resolveDestination(body.destination, context);
  const redirect = newRedirect(context, { ...body, destination });
  await changeStructure(site, async (_site, session) => {
    await requireFreePlace(redirect, session);
    if ((await SiteRedirect.countDocuments({ site: site._id }).session(session)) >= maxRedirects)
      throw full();
    if (!redirect.isDraft) await addToTable(redirect, await loadRedirectTable(site._id, session), context);
    await SiteRedirect.create([redirect], { session });
  });
  return redirect;
}

/** @throws as createRedirect; also when the redirect becomes live and its source has another one */
export async function updateRedirect(
  context: SiteContext,
  redirect: SiteRedirectRecord,
  body: UpdateSiteRedirect,
): Promise<SiteRedirectRecord> {
  const { source, destination, captureWildcard, draft, permanent } = body;
  if ([source, destination, captureWildcard, draft, permanent].every((value) => value === undefined))
    return redirect;
  const now = new Date();
  const fields = {
    ...(source !== undefined && { source, ...redirectPath(source) }),
    ...(destination !== undefined && { destination: await resolveDestination(destination, context) }),
    ...compact({ captureWildcard, isDraft: draft, permanent }),
    updatedAt: now,
    touchedAt: now,
  };
  return changeStructure(context.site, async (_site, session) => {
    const changed = { ...redirect, ...fields };
    await requireFreePlace(changed, session);
    if (!changed.isDraft) {
      const table = await loadRedirectTable(context.site._id, session);
      if (!redirect.isDraft) table.delete(redirect);
      await addToTable(changed, table, context);
    }
    return changeRecord<SiteRedirectRecord>(SiteRedirect, redirect, fields, { session });
  });
}

type NewRedirect = {
  source: string;
  destination: SiteRedirectDestinationRecord;
  captureWildcard: boolean;
  permanent?: boolean | undefined;
  draft: boolean;
};

export function newRedirect(
  { site }: Pick<SiteContext, 'site'>,
  { source, destination, captureWildcard, permanent = false, draft }: NewRedirect,
): SiteRedirectRecord {
  const now = new Date();
  return {
    _id: newId(),
    organization: site.organization,
    site: site._id,
    source,
    ...redirectPath(source),
    isDraft: draft,
    captureWildcard,
    permanent,
    destination,
    version: 1,
    createdAt: now,
    touchedAt: now,
  };
}

/** A unique index enforces this too, but the query can tell which redirect is in the way. */
async function requireFreePlace(
  { _id, site, isDraft, path, isWildcard, source }: SiteRedirectRecord,
  session: ClientSession,
): Promise<void> {
  const other = await SiteRedirect.findOne({ site, isDraft, path, isWildcard, _id: { $ne: _id } }, { _id: 1 })
    .session(session)
    .lean<{ _id: string }>();
  if (!other) return;
  throw new ApiError(
    'conflict',
    `There is a ${isDraft ? 'draft of a ' : ''}redirect from ${source} already: ${other._id}.`,
    {
      action: 'Change that one, or delete it first.',
    },
  );
}

function full(): ApiError {
  return new ApiError('conflict', `A site has at most ${maxRedirects} redirects.`, {
    action: 'Delete some, or use `*` for many at once.',
  });
}
