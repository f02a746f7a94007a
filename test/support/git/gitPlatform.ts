import {
  jobCollection,
  Revision,
  type JobRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { connectRedis, scrubSecrets } from '@bindery/runtime';
import { pino } from 'pino';
import { startApi, type TestApi } from '../apiServer.ts';
import { readContent, type ImportedContent } from '../content/contentImporting.ts';
import { dumpRedis, findCollectionsWith } from '../stores/dumpStores.ts';
import { buildOrganization, buildSpace, type TestUser } from '../factories.ts';
import { startGitWorker } from './gitWorker.ts';
import { until } from '../until.ts';

type GitBody = { ref?: string; repoProjectDirectory?: string; force?: boolean; commitMessage?: string };

/** An API and a git worker: imports and exports requested by a client, with the login in the URL. */
export type GitPlatform = {
  api: TestApi;
  organization: OrganizationRecord;
  admin: TestUser;
  newSpace(): Promise<SpaceRecord>;
  /** Requests an import and waits for its end. */
  import(space: SpaceRecord, url: string, body?: GitBody): Promise<JobRecord>;
  /** The same, until its first attempt has ended. */
  importOnce(space: SpaceRecord, url: string, body?: GitBody): Promise<JobRecord>;
  /** Requests an export and waits for its end. */
  export(space: SpaceRecord, url: string, body?: GitBody): Promise<JobRecord>;
  contentOf(space: SpaceRecord): Promise<ImportedContent>;
  /** Returns everything of a space that an import may change, for comparison. */
  stateOf(space: SpaceRecord): Promise<object>;
  /**
   * Finds where any of the texts can be read: collections, Redis, logs, and the API's answers about the space
   * and its jobs.
   */
  findSecrets(space: SpaceRecord, secrets: string[]): Promise<string[]>;
  /** Reads and writes repositories in this process from now on. */
  readHere(): Promise<void>;
  close(): Promise<void>;
};

/**
 * @param environment  overrides of configuration variables, such as BINDERY_OUTBOUND_ALLOW
 * @param hasProcesses  as for `startGitWorker`
 */
export async function startGitPlatform(
  environment: Record<string, string>,
  { hasProcesses = false } = {},
): Promise<GitPlatform> {
  const api = await startApi({ environment: { LOG_LEVEL: 'debug', ...environment } });
  const { organization, admin } = await buildOrganization();
  const logLines: string[] = [];
  const logger = pino(
    { level: 'debug' },
    { write: (line: string) => void logLines.push(scrubSecrets(line)) },
  );
  const worker = await startGitWorker(api, { logger, hasProcesses });
  const redis = connectRedis(api.config, 'worker');
  const get = async (path: string) => (await api.call('GET', path, { token: admin.token })).text;
  const ask = async (
    operation: 'import' | 'export',
    { _id }: SpaceRecord,
    json: object,
    isReached: (job: JobRecord) => boolean = ({ finishedAt }) => finishedAt !== undefined,
  ): Promise<JobRecord> => {
    const { status, text, headers } = await api.call('POST', `/v1/spaces/${_id}/git/${operation}`, {
      token: admin.token,
      json,
    });
    if (status !== 204) throw new Error(`The ${operation} was refused: ${text}`);
    const id = headers.get('x-job-id') ?? '';
    const look = async () => {
      const job = await jobCollection().findOne({ _id: id });
      return job && isReached(job) ? job : undefined;
    };
    return until(`end of the ${operation}`, look, { timeoutMs: 60_000, everyMs: 50 });
  };

  return {
    api,
    organization,
    admin,
    newSpace: () => buildSpace(organization),
    import: (space, url, body = {}) => ask('import', space, { url, ref: 'refs/heads/main', ...body }),
    importOnce: (space, url, body = {}) =>
      ask('import', space, { url, ref: 'refs/heads/main', ...body }, ({ attempts }) =>
        attempts.some(({ endedAt }) => endedAt),
      ),
    export: (space, url, body = {}) =>
      ask('export', space, { url, ref: 'refs/heads/main', commitMessage: 'Export', ...body }),
    contentOf: readContent,
    stateOf: async (space) => {
      const content = await readContent(space);
      const shown = JSON.parse(await get(`/v1/spaces/${space._id}`)) as { gitSync?: { operation?: object } };
      // A failed operation changes only this field.
      delete shown.gitSync?.operation;
      return {
        shown,
        revision: content.revision,
        pages: content.tree,
        files: content.files,
        revisions: await Revision.countDocuments({ space: space._id }),
      };
    },
    findSecrets: async (space, secrets) => {
      const jobs = await jobCollection().find({ 'subject.id': space._id }).toArray();
      const paths = [
        `/v1/spaces/${space._id}`,
        `/v1/spaces/${space._id}/git/info`,
        ...jobs.map(({ _id }) => `/v1/jobs/${_id}`),
      ];
      const places: Record<string, string> = {
        redis: await dumpRedis(redis),
        'log of the worker': logLines.join('\n'),
        'log of the API': api.logLines.join('\n'),
      };
      for (const path of paths) places[path] = await get(path);
      const found = await Promise.all(
        secrets.map(async (secret) => [
          ...(await findCollectionsWith(secret)),
          ...Object.entries(places).flatMap(([place, text]) => (text.includes(secret) ? [place] : [])),
        ]),
      );
      return found.flat();
    },
    readHere: worker.readHere,
    close: async () => {
      await worker.stop();
      redis.disconnect();
      await api.close();
    },
  };
}
