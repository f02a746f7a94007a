import type { ImportRun, ImportRunStatus } from '@bindery/contract';
import type { JobRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { phaseOf } from '../job/jobOutcome.ts';

/** The input and the result of an import job. */
type Input = {
  spaceId: string;
  changeRequestId?: string;
  page?: string;
  source: string;
  url?: string;
  files?: { key: string }[];
};
type Result = { pages?: { id: string; type: 'page' | 'folder'; sourceURL?: string }[] };

/** @param site  the site that shows the space, or that the import was started for */
export function presentImportRun(
  job: JobRecord,
  { links, site }: { links: Links; site: string | undefined },
): ImportRun {
  const input = job.input as Input;
  const { spaceId, changeRequestId, page } = input;
  const { pages } = (job.result ?? {}) as Result;
  const status = statusOf(job);
  const completedAt = status === 'completed' ? job.finishedAt : undefined;
  return {
    object: 'import-run',
    id: job._id,
    status,
    reason: status === 'failed' ? (job.error?.message ?? 'The import failed.') : undefined,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString(),
    completedAt: completedAt?.toISOString(),
    updatedAt: (job.finishedAt ?? job.startedAt ?? job.createdAt).toISOString(),
    source: sourceOf(input),
    target: {
      space: spaceId,
      changeRequest: changeRequestId,
      page,
    },
    site,
    createdBy: job.startedBy,
    urls: { location: links.api(`/org/${job.organization}/imports/${job._id}`) },
    pages: pages?.map((imported) => ({ ...imported, status: 'complete' as const })),
  };
}

/** A run shows two types of sources; imports by `content/import` have others too. */
function sourceOf({ source, url, files }: Input): ImportRun['source'] {
  if (files) return { type: 'file', files: files.map(({ key }) => key) };
  return source === 'website' && url !== undefined ? { type: 'website', url } : undefined;
}

function statusOf(job: JobRecord): ImportRunStatus {
  if (job.state === 'succeeded') return 'completed';
  if (job.state === 'cancelled') return 'cancelled';
  const phase = phaseOf(job);
  if (phase === 'ended') return 'failed';
  return phase === 'waiting' ? 'pending' : 'in-progress';
}
