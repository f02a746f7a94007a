import type { ImportRun } from '@bindery/contract';
import { SiteSpace, type JobRecord, type SiteSpaceRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { presentImportRun } from './importRun.presenter.ts';

/** Finds the sites of any number of runs in one query. */
export async function showImportRuns(jobs: readonly JobRecord[], links: Links): Promise<ImportRun[]> {
  const spaces = [...new Set(jobs.map(spaceOf))];
  const siteSpaces = await SiteSpace.find({ space: { $in: spaces } }, { space: 1, site: 1 }).lean<
    Pick<SiteSpaceRecord, 'space' | 'site'>[]
  >();
  const sitesOf = Map.groupBy(siteSpaces, ({ space }) => space);
  return jobs.map((job) => {
    const sites = new Set((sitesOf.get(spaceOf(job)) ?? []).map(({ site }) => site));
    const startedFor = job.input['site'];
    const [only] = sites.size === 1 ? sites : [];
    return presentImportRun(job, {
      links,
      site: only ?? (typeof startedFor === 'string' && sites.size === 0 ? startedFor : undefined),
    });
  });
}

export async function showImportRun(job: JobRecord, links: Links): Promise<ImportRun> {
  const [run] = await showImportRuns([job], links);
  return run as ImportRun;
}

function spaceOf({ input }: JobRecord): string {
  return String(input['spaceId']);
}
