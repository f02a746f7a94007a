import { randomBytes } from 'node:crypto';
import { createSpace, findRevision, loadTree, type PageTree } from '@bindery/content';
import {
  closeJobs,
  connectJobs,
  acceptJob,
  gitJobs,
  openJobFeed,
  startWorker,
  type JobFeed,
} from '@bindery/jobs';
import {
  createFirstUser,
  disconnectMongo,
  mongoDatabase,
  Space,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createLogger, loadConfig, newId } from '@bindery/runtime';
import type { ExportConflictRule, ImportConflictRule } from '@bindery/contract';
import { createBlobStore, type BlobStore } from '@bindery/storage';
import { createExportRepository } from '../../../apps/worker-git/src/sync/export/exportRepository.ts';
import { createImportRepository } from '../../../apps/worker-git/src/sync/import/importRepository.ts';
import { connectStores } from '../apiServer.ts';
import { startGitServer, type GitServer } from './gitServer.ts';
import { exportRequest, importRequest } from '../importRequest.ts';
import { findLoggedJob, type LoggedJob } from '../processes/loggedJob.ts';
import { createLeavingReader } from './readHere.ts';

export type ImportOptions = Partial<{
  ref: string;
  projectDirectory: string;
  timestamp: string;
  force: boolean;
  standalone: boolean;
  dryRun: boolean;
  repoTreeUrl: string;
  repoCommitUrl: string;
  gitInfo: { provider: 'github' | 'gitlab'; url: string };
}>;
type ImportRules = ImportOptions & { onConflict?: ImportConflictRule };
type ExportRules = ImportOptions & { onConflict?: ExportConflictRule; commitMessage?: string };

/** A git worker in this process, a git server, and real stores. */
export type ImportLab = {
  gitServer: GitServer;
  blobs: BlobStore;
  newSpace(title?: string): Promise<SpaceRecord>;
  /** Imports and waits for the job's end. */
  importInto(space: SpaceRecord, url: string, options?: ImportRules): Promise<LoggedJob>;
  /** Exports and waits for the job's end. */
  exportFrom(space: SpaceRecord, url: string, options?: ExportRules): Promise<LoggedJob>;
  /** Returns the space's present revision with its tree. */
  contentOf(space: Pick<SpaceRecord, '_id'>): Promise<{ revision: RevisionRecord; tree: PageTree[] }>;
  /** Reads and writes repositories in this process from now on. */
  readHere(): Promise<void>;
  /** Gives the worker another secret key; the present one becomes the previous one. */
  replaceKey(): void;
  close(): Promise<void>;
};

/**
 * @param hasProcesses  reads and writes repositories in child processes, as in production, instead of in this
 *   one
 */
export async function startImportLab({ hasProcesses = false } = {}): Promise<ImportLab> {
  const gitServer = await startGitServer();
  const config = loadConfig({ ...process.env, BINDERY_OUTBOUND_ALLOW: gitServer.hostPort });
  const logger = createLogger(config, { app: 'test' });
  await connectStores(config);
  const blobs = createBlobStore(mongoDatabase());
  await blobs.prepare();
  connectJobs(config);
  const { user, organization } = await createFirstUser({
    email: `${newId()}@example.org`,
    displayName: 'Ada',
    organizationTitle: 'Lab',
  });
  const reader = createLeavingReader(
    hasProcesses ? { prewarm: true, memoryMb: config.git.memoryMb } : undefined,
  );
  const worker = await startWorker(
    gitJobs,
    {
      importRepository: createImportRepository({ config, reader, blobs }),
      exportRepository: createExportRepository({ config, reader, blobs }),
    },
    { app: 'test', concurrency: 2, config, logger },
  );
  const feed = openJobFeed(config);
  const by = { startedBy: user._id };

  return {
    gitServer,
    blobs,
    newSpace: (title = 'Space') =>
      createSpace({ organization: organization._id, createdBy: user._id, title }),
    importInto: async (space, url, options) => {
      const job = await acceptJob(gitJobs.importRepository, {
        ...importRequest(space, { url, ...options }),
        ...by,
      });
      return waitForEnd(feed, job._id);
    },
    exportFrom: async (space, url, options) => {
      const job = await acceptJob(gitJobs.exportRepository, {
        ...exportRequest(space, { url, ...options }),
        ...by,
      });
      return waitForEnd(feed, job._id);
    },
    contentOf: async ({ _id }) => {
      const space = await Space.findById(_id).lean<SpaceRecord>();
      const revision = space && (await findRevision(_id, space.revision));
      if (!revision) throw new Error('The space has no revision.');
      return { revision, tree: await loadTree(revision.organization, revision.pages) };
    },
    readHere: reader.readHere,
    replaceKey: () => {
      config.secrets = { key: randomBytes(32), previousKey: config.secrets.key };
    },
    close: async () => {
      await worker.stop(1_000);
      await reader.close();
      feed.close();
      await closeJobs();
      await disconnectMongo();
      await gitServer.close();
    },
  };
}

async function waitForEnd(feed: JobFeed, id: string, timeoutMs = 60_000): Promise<LoggedJob> {
  for await (const { job } of feed.follow(id, AbortSignal.timeout(timeoutMs)))
    if (job.finishedAt) return findLoggedJob(id);
  throw new Error(`The job ${id} did not end within ${timeoutMs} ms.`);
}

/** Returns all pages of a tree with their depth, in reading order. */
export function flatten(tree: readonly PageTree[], depth = 0): { page: PageTree; depth: number }[] {
  return tree.flatMap((page) => [
    { page, depth },
    ...('pages' in page ? flatten(page.pages, depth + 1) : []),
  ]);
}
