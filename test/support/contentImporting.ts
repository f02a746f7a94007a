import { findRevision, loadDocuments, loadFiles, loadTree, type FileItem, type PageTree } from '@bindery/content';
import { contentImportJobs, startWorker, type RunningWorker } from '@bindery/jobs';
import { Revision, Space, type ChangeRequestRecord, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { createImportContent } from '../../apps/worker-maintenance/src/import/importContent.ts';
import { startApi, type ApiAnswer, type TestApi } from './apiServer.ts';
import { startContentServer, type ContentServer } from './contentServer.ts';
import { buildOrganization, buildSpace, type TestUser } from './factories.ts';
import type { OrganizationRecord } from '@bindery/models';

type DocumentPage = Extract<PageTree, { type: 'document' }>;

/** An API, a worker that imports, and a server with content for it. */
export type ContentImportLab = {
  api: TestApi;
  server: ContentServer;
  /** The smallest server that must never be asked anything. */
  canary: ContentServer;
  organization: OrganizationRecord;
  admin: TestUser;
  worker: RunningWorker;
  newSpace(fields?: Partial<SpaceRecord>): Promise<SpaceRecord>;
  importInto(space: SpaceRecord, url: string, source: string, changeRequest?: ChangeRequestRecord): Promise<ApiAnswer>;
  /** What a space holds, with the files of its pages. */
  contentOf(space: Pick<SpaceRecord, '_id'>, revision?: string): Promise<ImportedContent>;
  close(): Promise<void>;
};

export type ImportedContent = {
  revision: RevisionRecord;
  tree: PageTree[];
  /** Every page as a line, indented by its level: what kind it is, its title, and its path. */
  outline: string[];
  files: FileItem[];
  /** The whole file of the page with this title. */
  textOf(title: string): string;
  page(title: string): DocumentPage;
};

export async function startContentImportLab(environment: Record<string, string> = {}): Promise<ContentImportLab> {
  const [server, canary] = await Promise.all([startContentServer(), startContentServer('127.0.0.3')]);
  const api = await startApi({
    environment: { BINDERY_OUTBOUND_ALLOW: server.hostPort, BINDERY_IMPORT_WAIT_SECONDS: '50', ...environment },
  });
  const { organization, admin } = await buildOrganization();
  const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
  const worker = await startWorker(
    contentImportJobs,
    { importContent: createImportContent({ config: api.config, blobs: api.blobs }) },
    { app: 'test', concurrency: 4, config: api.config, logger },
  );
  return {
    api,
    server,
    canary,
    organization,
    admin,
    worker,
    newSpace: (fields = {}) => buildSpace(organization, { title: 'Space', ...fields }),
    importInto: ({ _id }, url, source, changeRequest) =>
      api.call('POST', `/v1/spaces/${_id}${changeRequest ? `/change-requests/${changeRequest._id}` : ''}/content/import`, {
        token: admin.token,
        json: { url, source },
      }),
    contentOf: readContent,
    close: async () => {
      await worker.stop(0);
      await api.close();
      await Promise.all([server.close(), canary.close()]);
    },
  };
}

/** What a space holds, with the files of its pages. */
export async function readContent({ _id }: Pick<SpaceRecord, '_id'>, id?: string): Promise<ImportedContent> {
  const space = await Space.findById(_id).lean<SpaceRecord>();
  const revision = space && (await findRevision(_id, id ?? space.revision));
  if (!revision) throw new Error('The space has no such revision.');
  const tree = await loadTree(revision.organization, revision.pages);
  const pages = flatten(tree);
  const hashes = pages.flatMap(({ page }) => (page.type === 'document' && page.document !== undefined ? [page.document] : []));
  const sources = await loadDocuments(revision.organization, hashes);
  const page = (title: string) => {
    const found = pages.find(({ page: one }) => one.title === title && one.type === 'document')?.page;
    if (!found) throw new Error(`There is no page ${title}: ${pages.map(({ page: one }) => one.title).join(', ')}.`);
    return found as DocumentPage;
  };
  return {
    revision,
    tree,
    outline: pages.map(({ page: one, depth }) => `${'  '.repeat(depth)}${one.type} ${one.title}${'path' in one ? ` /${one.path}` : ''}`),
    files: await loadFiles(revision),
    page,
    textOf: (title) => {
      const source = sources.get(page(title).document ?? '');
      return source ? Buffer.concat([source.frontmatter, source.body]).toString() : '';
    },
  };
}

function flatten(tree: readonly PageTree[], depth = 0): { page: PageTree; depth: number }[] {
  return tree.flatMap((page) => [{ page, depth }, ...('pages' in page ? flatten(page.pages, depth + 1) : [])]);
}

/** How many revisions a space has. */
export async function countRevisions(space: Pick<SpaceRecord, '_id'>): Promise<number> {
  return Revision.countDocuments({ space: space._id });
}

/** The smallest picture there is. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
