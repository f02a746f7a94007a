import { ApiError, type BulkSiteRedirect, type SiteRedirectResult } from '@bindery/contract';
import { SiteRedirect, type SiteRedirectDestinationRecord, type SiteRedirectRecord } from '@bindery/models';
import { redirectPath, type SiteContext } from '@bindery/publishing';
import { changeStructure } from '../site/changeStructure.ts';
import { maxRedirects, newRedirect } from './changeRedirects.ts';
import { addToTable, loadRedirectTable, type RedirectTable } from './redirectTable.ts';
import { resolveDestination } from './resolveDestination.ts';

/**
 * Creates, changes, removes and publishes several redirects in order. A failed one is reported in its result
 * and does not stop the others.
 */
export async function bulkRedirects(
  context: SiteContext,
  changes: readonly BulkSiteRedirect[],
): Promise<SiteRedirectResult[]> {
  const { _id: site } = context.site;
  const prepared: Prepared[] = [];
  for (const change of changes) prepared.push(await prepare(change, context));
  return changeStructure(context.site, async (_site, session) => {
    const paths = prepared.map(({ change }) => redirectPath(change.source).path);
    const known = await SiteRedirect.find({ site, path: { $in: paths } })
      .session(session)
      .lean<SiteRedirectRecord[]>();
    const state: State = {
      context,
      table: await loadRedirectTable(site, session),
      known: new Map(known.map((redirect) => [placeOf(redirect), redirect])),
      count: await SiteRedirect.countDocuments({ site }).session(session),
      writes: [],
    };
    const results: SiteRedirectResult[] = [];
    for (const each of prepared) results.push(await apply(each, state));
    if (state.writes.length > 0) await SiteRedirect.bulkWrite(state.writes, { session });
    return results;
  });
}

type Prepared = {
  change: BulkSiteRedirect;
  destination?: SiteRedirectDestinationRecord | undefined;
  problem?: string;
};

type State = {
  context: SiteContext;
  table: RedirectTable;
  known: Map<string, SiteRedirectRecord>;
  count: number;
  writes: Parameters<typeof SiteRedirect.bulkWrite>[0][number][];
};

async function prepare(change: BulkSiteRedirect, context: SiteContext): Promise<Prepared> {
  if (change.intent === 'publish' || change.destination === null) return { change };
  const { destination } = change;
  return attempt<Prepared>(
    async () => ({ change, destination: await resolveDestination(destination, context) }),
    (problem) => ({ change, problem }),
  );
}

async function apply({ change, destination, problem }: Prepared, state: State): Promise<SiteRedirectResult> {
  const { source } = change;
  const draft = change.intent === 'draft';
  if (problem !== undefined) return { status: 'error', source, draft, error: problem };
  return attempt(
    async () => {
      if (change.intent === 'publish') return publish(source, state);
      return destination === undefined
        ? remove(source, draft, state)
        : upsert({ ...change, draft, destination }, state);
    },
    (error): SiteRedirectResult => ({ status: 'error', source, draft, error }),
  );
}

async function upsert(
  change: {
    source: string;
    captureWildcard: boolean;
    permanent?: boolean | undefined;
    draft: boolean;
    destination: SiteRedirectDestinationRecord;
  },
  state: State,
): Promise<SiteRedirectResult> {
  const { source, draft, captureWildcard, destination } = change;
  const before = state.known.get(placeOf({ isDraft: draft, ...redirectPath(source) }));
  const created = newRedirect(state.context, change);
  if (!before && state.count >= maxRedirects)
    throw new ApiError('conflict', `A site has at most ${maxRedirects} redirects.`);
  if (!draft) await addToTable(created, state.table, state.context);
  if (!before) {
    state.count += 1;
    state.known.set(placeOf(created), created);
    state.writes.push({ insertOne: { document: created } });
    return { status: 'created', source, draft, id: created._id };
  }
  const { permanent = before.permanent } = change;
  const fields = {
    source,
    captureWildcard,
    permanent,
    destination,
    updatedAt: created.createdAt,
    touchedAt: created.createdAt,
  };
  state.known.set(placeOf(before), { ...before, ...fields });
  state.writes.push({
    updateOne: { filter: { _id: before._id }, update: { $set: fields, $inc: { version: 1 } } },
  });
  return { status: 'updated', source, draft, id: before._id };
}

/** Removing a missing redirect succeeds, as DELETE does. */
function remove(source: string, draft: boolean, state: State): SiteRedirectResult {
  const place = { isDraft: draft, ...redirectPath(source) };
  const before = state.known.get(placeOf(place));
  if (before) forget(before, state);
  if (!draft) state.table.delete(place);
  return { status: 'deleted', source, draft };
}

/** The draft replaces the live redirect of its source, if any. */
async function publish(source: string, state: State): Promise<SiteRedirectResult> {
  const path = redirectPath(source);
  const draft = state.known.get(placeOf({ isDraft: true, ...path }));
  if (!draft) throw new ApiError('not_found', 'There is no draft of a redirect from this source.');
  await addToTable(draft, state.table, state.context);
  const live = state.known.get(placeOf({ isDraft: false, ...path }));
  if (live) forget(live, state);
  const now = new Date();
  const fields = { isDraft: false, updatedAt: now, touchedAt: now };
  state.known.delete(placeOf(draft));
  state.known.set(placeOf({ isDraft: false, ...path }), { ...draft, ...fields });
  state.writes.push({
    updateOne: { filter: { _id: draft._id }, update: { $set: fields, $inc: { version: 1 } } },
  });
  return { status: 'published', source, draft: false, id: draft._id };
}

function forget(redirect: SiteRedirectRecord, state: State): void {
  state.count -= 1;
  state.known.delete(placeOf(redirect));
  state.writes.push({ deleteOne: { filter: { _id: redirect._id } } });
}

function placeOf({
  isDraft,
  isWildcard,
  path,
}: Pick<SiteRedirectRecord, 'isDraft' | 'isWildcard' | 'path'>): string {
  return JSON.stringify([isDraft, isWildcard, path]);
}

/** Returns the result of `work`; for a refusal, the result that `refused` makes of its message. */
async function attempt<T>(work: () => Promise<T>, refused: (problem: string) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [detail] = error.details ?? [];
    return refused(detail ? `${detail.path.replace(/^body\./, '')} ${detail.message}` : error.message);
  }
}
