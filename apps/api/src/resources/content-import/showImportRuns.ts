import type { ImportRun } from '@bindery/contract';
import { SiteSpace, type JobRecord, type SiteSpaceRecord } from '@bindery/models';
import { presentImportRun } from './importRun.presenter.ts';

/** However many they are, their sites take one query. */
export async function showImportRuns(jobs: readonly JobRecord[]): Promise<ImportRun[]> {
  const spaces = [...new Set(jobs.map(spaceOf))];
  const siteSpaces = await SiteSpace.find({ space: { $in: spaces } }, { space: 1, site: 1 }).lean<
    Pick<SiteSpaceRecord, 'space' | 'site'>[]
  >();
  const sitesOf = Map.groupBy(siteSpaces, ({ space }) => space);
  return jobs.map((job) => {
    const sites = new Set((sitesOf.get(spaceOf(job)) ?? []).map(({ site }) => site));
    const startedFor = job.input['site'];
    const [only] = sites.size === 1 ? sites : [];
    return presentImportRun(job, { site: only ?? (typeof startedFor === 'string' && sites.size === 0 ? startedFor : undefined) });
  });
}

export async function showImportRun(job: JobRecord): Promise<ImportRun> {
  const [run] = await showImportRuns([job]);
  return run as ImportRun;
}

function spaceOf({ input }: JobRecord): string {
  return String(input['spaceId']);
}
