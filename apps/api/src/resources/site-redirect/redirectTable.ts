import { invalid } from '@bindery/contract';
import { SiteRedirect, type ClientSession, type SiteRedirectRecord } from '@bindery/models';
import {
  basesOf,
  beginningsOf,
  maxHops,
  pathWithin,
  type RedirectPath,
  type SiteContext,
  targetUrl,
} from '@bindery/publishing';

/** The parts of a redirect needed to follow it. */
type Followed = RedirectPath & Pick<SiteRedirectRecord, 'destination'>;

/** The live redirects of a site, for following them. */
export type RedirectTable = {
  /** @returns a function that removes it again and restores the one that it replaced */
  set(redirect: Followed): () => void;
  delete(place: RedirectPath): void;
  match(path: string): Followed | undefined;
};

export async function loadRedirectTable(site: string, session: ClientSession): Promise<RedirectTable> {
  const live = await SiteRedirect.find({ site, isDraft: false }, { path: 1, isWildcard: 1, destination: 1 })
    .session(session)
    .lean<Followed[]>();
  const exact = new Map<string, Followed>();
  const wildcards = new Map<string, Followed>();
  const table: RedirectTable = {
    set: (redirect) => {
      const kind = redirect.isWildcard ? wildcards : exact;
      const before = kind.get(redirect.path);
      kind.set(redirect.path, redirect);
      return () => void (before ? kind.set(redirect.path, before) : kind.delete(redirect.path));
    },
    delete: ({ path, isWildcard }) => void (isWildcard ? wildcards : exact).delete(path),
    match: (path) => {
      const wildcard = beginningsOf(path).find((beginning) => wildcards.has(beginning));
      return exact.get(path) ?? (wildcard === undefined ? undefined : wildcards.get(wildcard));
    },
  };
  for (const redirect of live) table.set(redirect);
  return table;
}

/**
 * Adds a redirect to the table; refuses one that would lead back to itself, directly or through other
 * redirects of the site.
 *
 * A destination in the site ends the chain, because there is content, and redirects apply only where there is
 * none. It is refused only when its path is the source itself.
 * @throws invalid_request; the table is then unchanged
 */
export async function addToTable(
  redirect: Followed,
  table: RedirectTable,
  context: SiteContext,
): Promise<void> {
  const takeOut = table.set(redirect);
  const problem = await loopProblem(redirect, table, context);
  if (problem === undefined) return;
  takeOut();
  throw invalid('body.destination', problem);
}

async function loopProblem(
  redirect: Followed,
  table: RedirectTable,
  context: SiteContext,
): Promise<string | undefined> {
  const bases = basesOf(context);
  let at = redirect;
  for (let hops = 0; hops < maxHops; hops++) {
    const url = await targetUrl(at.destination, context);
    const path = url === undefined ? undefined : pathWithin(url, bases);
    if (path === undefined) return undefined;
    if (at.destination.kind !== 'external')
      return path === redirect.path && !redirect.isWildcard ? leadsBack : undefined;
    const next = table.match(path);
    if (!next) return undefined;
    if (next === redirect) return leadsBack;
    at = next;
  }
  return `leads over more than ${maxHops} redirects`;
}

const leadsBack = 'leads back to the source, so that it would never end';
