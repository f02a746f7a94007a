import { Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import type { PageTree } from '@bindery/content';
import { editContent, setFields, storeSource } from '../content/editContent.ts';
import type { GitRepository } from './gitRepository.ts';
import { flatten, startImportLab, type ImportLab } from './importing.ts';

type ServedRepository = GitRepository & { url: string };

/** Spaces and branches with two pages, Home and Guide, that are brought into and out of sync. */
export type SyncLab = ImportLab & {
  newName(): string;
  newRepository(): Promise<ServedRepository>;
  /** Returns a space and a branch in sync, and the job that synced them. */
  inStep(): Promise<{
    repository: ServedRepository;
    space: SpaceRecord;
    job: Awaited<ReturnType<ImportLab['importInto']>>;
  }>;
  pageNamed(space: SpaceRecord, title: string): Promise<PageTree | undefined>;
  titlesOf(space: SpaceRecord): Promise<string[]>;
  /** Changes the text of a space's guide. */
  edit(space: SpaceRecord, words: string): Promise<RevisionRecord>;
};

export async function startSyncLab(): Promise<SyncLab> {
  const lab = await startImportLab();
  let names = 0;
  const pagesOf = async (space: SpaceRecord) =>
    flatten((await lab.contentOf(space)).tree).map(({ page }) => page);
  const sync: SyncLab = {
    ...lab,
    newName: () => `sync${(names += 1)}.git`,
    newRepository: () => lab.gitServer.createRepository(sync.newName(), syncFiles()),
    inStep: async () => {
      const repository = await sync.newRepository();
      const space = await lab.newSpace();
      const job = await lab.importInto(space, repository.url);
      if (job.state !== 'succeeded') throw new Error(`The import ended as ${job.state}.`);
      return { repository, space, job };
    },
    pageNamed: async (space, title) => (await pagesOf(space)).find((page) => page.title === title),
    titlesOf: async (space) => (await pagesOf(space)).map(({ title }) => title),
    edit: async (space, words) => {
      const guide = await sync.pageNamed(space, 'Guide');
      const document = await storeSource(space.organization, `# Guide\n\n${words}\n`);
      return editContent(space, (tree) => setFields(tree, guide?.id ?? '', { document }));
    },
  };
  return sync;
}

export const text = (words: string) => Buffer.from(words);

export const syncFiles = (words = 'Words.') =>
  new Map([
    ['README.md', text('# Home\n')],
    ['SUMMARY.md', text('# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n')],
    ['guide.md', text(`# Guide\n\n${words}\n`)],
  ]);

export const reload = async ({ _id }: SpaceRecord) =>
  (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;

/** Reads a branch with git itself. */
export async function branchOf(repository: GitRepository, ref = 'main') {
  const line = async (...args: string[]) => (await repository.git(args)).toString().trim();
  return {
    oid: await repository.oid(ref),
    commits: (await line('log', '--format=%s', ref)).split('\n'),
    parents: (await line('log', '-1', '--format=%P', ref)).split(' ').filter(Boolean),
    changed: (await line('diff-tree', '--root', '--no-commit-id', '-r', '--name-status', '--no-renames', ref))
      .split('\n')
      .filter(Boolean),
  };
}
