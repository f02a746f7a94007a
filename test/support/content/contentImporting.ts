import {
  createTreeBuilder,
  findRevision,
  loadDocuments,
  loadFiles,
  loadTree,
  type FileItem,
  type PageTree,
} from '@bindery/content';
import { contentImportJobs, startWorker } from '@bindery/jobs';
import {
  Revision,
  Space,
  type ChangeRequestRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { createImportContent } from '../../../apps/worker-maintenance/src/import/importContent.ts';
import { startContentServer } from './contentServer.ts';
import { buildSpace } from '../factories.ts';
import { it } from '../it.ts';

type DocumentPage = Extract<PageTree, { type: 'document' }>;

export type ImportedContent = {
  revision: RevisionRecord;
  tree: PageTree[];
  /** Each page as a line, indented by its level: its kind, its title, and its path. */
  outline: string[];
  files: FileItem[];
  /** Returns the whole file of the page with this title. */
  textOf(title: string): string;
  page(title: string): DocumentPage;
};

/**
 * The `it` of tests that import content, with a worker for it. Fixtures:
 *
 * - `server`: a web server with content from the test
 * - `canary`: a minimal server that must never get a request
 * - `waitSeconds`: how long a request waits for its import, unless the file extends it
 * - `newSpace`: makes a space; `space` is one
 * - `importInto`: requests an import
 */
export const itImporting = it
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('contentServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startContentServer();
    onCleanup(server.close);
    return server;
  })
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('canary', { scope: 'file' }, async ({}, { onCleanup }) => {
    const canary = await startContentServer('127.0.0.3');
    onCleanup(canary.close);
    return canary;
  })
  .extend('waitSeconds', { scope: 'file' }, 50)
  .extend('environment', { scope: 'file' }, ({ contentServer, waitSeconds }) => ({
    BINDERY_OUTBOUND_ALLOW: contentServer.hostPort,
    BINDERY_IMPORT_WAIT_SECONDS: String(waitSeconds),
  }))
  .extend('worker', { scope: 'file', auto: true }, async ({ api }, { onCleanup }) => {
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    const trees = createTreeBuilder(api.config);
    const worker = await startWorker(
      contentImportJobs,
      { importContent: createImportContent({ config: api.config, blobs: api.blobs, trees }) },
      { app: 'test', concurrency: 4, config: api.config, logger },
    );
    onCleanup(async () => {
      await worker.stop(0);
      await trees.close();
    });
    return worker;
  })
  .extend('server', ({ contentServer }, { onCleanup }) => {
    onCleanup(contentServer.clear);
    return contentServer;
  })
  .extend(
    'newSpace',
    ({ organization }) =>
      (fields: Partial<SpaceRecord> = {}) =>
        buildSpace(organization, { title: 'Space', ...fields }),
  )
  .extend('space', ({ newSpace }) => newSpace())
  .extend(
    'importInto',
    ({ api, admin }) =>
      ({ _id }: SpaceRecord, url: string, source: string, changeRequest?: ChangeRequestRecord) =>
        api.call(
          'POST',
          `/v1/spaces/${_id}${changeRequest ? `/change-requests/${changeRequest._id}` : ''}/content/import`,
          {
            token: admin.token,
            json: { url, source },
          },
        ),
  );

/** Reads the content of a space, with the files of its pages. */
export async function readContent({ _id }: Pick<SpaceRecord, '_id'>, id?: string): Promise<ImportedContent> {
  const space = await Space.findById(_id).lean<SpaceRecord>();
  const revision = space && (await findRevision(_id, id ?? space.revision));
  if (!revision) throw new Error('The space has no such revision.');
  const tree = await loadTree(revision.organization, revision.pages);
  const pages = flatten(tree);
  const hashes = pages.flatMap(({ page }) =>
    page.type === 'document' && page.document !== undefined ? [page.document] : [],
  );
  const sources = await loadDocuments(revision.organization, hashes);
  const page = (title: string) => {
    const found = pages.find(({ page: one }) => one.title === title && one.type === 'document')?.page;
    if (!found)
      throw new Error(`There is no page ${title}: ${pages.map(({ page: one }) => one.title).join(', ')}.`);
    return found as DocumentPage;
  };
  return {
    revision,
    tree,
    outline: pages.map(
      ({ page: one, depth }) =>
        `${'  '.repeat(depth)}${one.type} ${one.title}${'path' in one ? ` /${one.path}` : ''}`,
    ),
    files: await loadFiles(revision),
    page,
    textOf: (title) => {
      const source = sources.get(page(title).document ?? '');
      return source ? Buffer.concat([source.frontmatter, source.body]).toString() : '';
    },
  };
}

function flatten(tree: readonly PageTree[], depth = 0): { page: PageTree; depth: number }[] {
  return tree.flatMap((page) => [
    { page, depth },
    ...('pages' in page ? flatten(page.pages, depth + 1) : []),
  ]);
}

/** Counts the revisions of a space. */
export async function countRevisions(space: Pick<SpaceRecord, '_id'>): Promise<number> {
  return Revision.countDocuments({ space: space._id });
}

/** The smallest possible picture. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
