/** A kind of job as the model knows it. */
export type KindFigures = {
  kind: string;
  app: string;
  /** Its part of all jobs, in percent, unless the operator says otherwise. */
  share: number;
  /** How long a job holds its slot: of a common one, measured on two shared processors. */
  seconds: number;
};

/**
 * Measured, most of them in docs/benchmarks: a sync of ten changed pages, an export of one of 4,000, a folder
 * of 50 pages of which ten changed, an archive of 200 files, a book of 50 pages, a specification of 2 MB, a
 * run after an edit of some pages.
 */
export const kindFigures: readonly KindFigures[] = [
  { kind: 'git-import', app: 'worker-git', share: 50, seconds: 0.35 },
  { kind: 'git-export', app: 'worker-git', share: 15, seconds: 0.6 },
  { kind: 'folder-import', app: 'worker-git', share: 5, seconds: 0.8 },
  { kind: 'content-import', app: 'worker-maintenance', share: 3, seconds: 0.5 },
  { kind: 'space-pdf', app: 'worker-pdf', share: 2, seconds: 3 },
  { kind: 'change-request-pdf', app: 'worker-pdf', share: 5, seconds: 0.5 },
  { kind: 'openapi-processing', app: 'worker-openapi', share: 5, seconds: 0.4 },
  { kind: 'openapi-review', app: 'worker-openapi', share: 5, seconds: 0.6 },
  { kind: 'translation-run', app: 'worker-translation', share: 10, seconds: 0.5 },
];

/** Memory of a container and jobs at once in it, as docker-compose.yml sets them. */
export const appFigures: Readonly<Record<string, { memoryMb: number; slots: number }>> = {
  api: { memoryMb: 2_200, slots: 0 },
  'worker-git': { memoryMb: 6_924, slots: 2 },
  'worker-maintenance': { memoryMb: 5_632, slots: 2 },
  'worker-openapi': { memoryMb: 4_400, slots: 2 },
  'worker-pdf': { memoryMb: 6_144, slots: 2 },
  'worker-translation': { memoryMb: 3_200, slots: 1 },
};

/** Requests a second of one API process: reads, and changes of content (docs/scaling.md). */
export const apiFigures = { readsPerSecond: 800, changesPerSecond: 320 };

/**
 * Bytes in MongoDB with its indexes, before it compresses records: of a page of 6.4 KB of Markdown with its
 * place in a list, its links and its part of the search index (docs/scaling.md), of an edit of a page in a
 * list of 50 (docs/storage.md), and of a job with its log, its outcome and its events (docs/faults.md, soak).
 */
export const storageFigures = { page: 28_000, edit: 24_600, job: 10_200 };

/** Processor time of the job layer for a job, in all processes and stores: two processors do 725 a second. */
export const jobLayerSeconds = 2 / 725;
