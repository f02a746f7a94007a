import { findRevision, loadDocuments, loadTree, markdownOf } from '@bindery/content';
import {
  GitSyncPoint,
  Revision,
  Space,
  type GitSyncPointRecord,
  type JobRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { expect } from 'vitest';
import { editContent, setFields, storeSource } from '../content/editContent.ts';
import type { FaultLab } from '../processes/faultLab.ts';
import type { GitRepository, RepositoryFiles } from './gitRepository.ts';
import { flatten } from './importing.ts';

/** A space in sync with a repository of its own, in which a page has been edited since. */
export type ExportSubject = { space: SpaceRecord; repository: GitRepository & { url: string } };

let names = 0;
const files: RepositoryFiles = {
  'README.md': '# Home\n',
  'soil.md': '# Soil\n\nWords.\n',
  'water.md': '# Water\n\nWords.\n',
};
const firstCommit = 'Change the documentation';

/** @param isByWorker  imports through a running git worker instead of in this process */
export async function newSubject(
  lab: FaultLab,
  { server = lab.gitServer, isByWorker = false } = {},
): Promise<ExportSubject> {
  const repository = await server.createRepository(`subject${(names += 1)}.git`, files);
  const space = await lab.newSpace();
  if (isByWorker) await lab.waitFor((await lab.import(space, repository.url))._id, 'succeeded');
  else await lab.importHere(space, repository.url);
  await editPage(space, 'Soil', 'Edited in the space.');
  return { space, repository };
}

export async function editPage(space: SpaceRecord, title: string, words: string): Promise<void> {
  const { pages: root = '' } = (await shownRevision(space)) ?? {};
  const pages = flatten(await loadTree(space.organization, root));
  const page = pages.find((found) => found.page.title === title)?.page.id ?? '';
  const document = await storeSource(space.organization, `# ${title}\n\n${words}\n`);
  await editContent(space, (edit) => setFields(edit, page, { document }));
}

/** Lets the next export read the branch: trees that are kept would spare it that. */
export async function dropKeptTrees({ _id }: SpaceRecord): Promise<void> {
  await GitSyncPoint.updateMany({ space: _id }, { $unset: { trees: 1 } });
}

export async function spaceNow({ _id }: SpaceRecord): Promise<SpaceRecord> {
  return (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
}

export async function shownRevision(space: SpaceRecord): Promise<RevisionRecord | undefined> {
  return findRevision(space._id, (await spaceNow(space)).revision);
}

/** Returns the fields of a space that an export may change, for comparison. */
export async function stateOf(space: SpaceRecord): Promise<object> {
  const { revision, syncedWith } = await spaceNow(space);
  const points = await GitSyncPoint.find({ space: space._id }).lean<GitSyncPointRecord[]>();
  return { revision, syncedWith, points, revisions: await Revision.countDocuments({ space: space._id }) };
}

/**
 * Returns the first lines of the messages on a branch, newest first, without the initial commit of all
 * subjects.
 */
export async function messagesOf(repository: GitRepository): Promise<string[]> {
  const lines = (await repository.git(['log', '--format=%s', 'main'])).toString().trim().split('\n');
  return lines.filter((line) => line !== firstCommit);
}

/** Asserts that the branch has exactly this job's commit, and that the space and the job know it. */
export async function expectExportedOnce(
  { space, repository }: ExportSubject,
  job: JobRecord,
): Promise<void> {
  const said = (await repository.git(['log', '--format=%B', 'main'])).toString();
  expect(said.split(`Bindery-Job: ${job._id}`).length - 1, 'commits of the job').toBe(1);
  expect(await messagesOf(repository)).toHaveLength(1);
  const commit = await repository.oid('main');
  expect(job.result).toMatchObject({ commit, unchanged: false });
  expect(await shownRevision(space)).toMatchObject({ git: { oid: commit, createdByDocs: true } });
  await repository.git(['fsck', '--strict']);
}

/** Asserts that the next edit of a space is exported without `force`, as the next commit. */
export async function expectNextExport(
  lab: FaultLab,
  { space, repository }: ExportSubject,
): Promise<JobRecord> {
  const before = await messagesOf(repository);
  const parent = await repository.oid('main');
  await editPage(space, 'Water', 'Edited afterwards.');
  const job = await lab.waitFor(
    (await lab.export(space, repository.url, { commitMessage: 'Next' }))._id,
    ({ finishedAt }) => finishedAt,
  );
  expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
  expect(await messagesOf(repository)).toEqual(['Next', ...before]);
  expect(await repository.oid('main^')).toBe(parent);
  const changed = (await repository.git(['show', 'main:soil.md'])).toString();
  expect(changed).toContain('Edited in the space.');
  return job;
}

/** Returns the texts of the pages that a space shows, by title. */
export async function textsOf(space: SpaceRecord): Promise<Record<string, string>> {
  const { organization, pages } = (await shownRevision(space))!;
  const found = flatten(await loadTree(organization, pages)).flatMap(({ page }) =>
    page.type === 'document' && page.document !== undefined
      ? [{ title: page.title, document: page.document }]
      : [],
  );
  const sources = await loadDocuments(
    organization,
    found.map(({ document }) => document),
  );
  return Object.fromEntries(found.map(({ title, document }) => [title, markdownOf(sources.get(document)!)]));
}
