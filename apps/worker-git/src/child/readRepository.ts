import { join } from 'node:path';

import { findRef, GitHttp, loginOf, megabytes } from '@bindery/git-remote';
import { createOutbound } from '@bindery/outbound';

import { readCommit } from '../git/objects/commit.ts';
import { CommitObjects } from '../git/objects/commitObjects.ts';
import { readBranchHistory } from './branchHistory.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import { keepTrees } from '../git/objects/keptTrees.ts';
import { indexBlobs } from './indexBlobs.ts';
import { unrecordedPush } from './unrecordedPush.ts';
import { LazyBlobs } from '../git/objects/lazyBlobs.ts';
import { asLines, indexLines, toLines } from './lines.ts';
import { ObjectStore } from '../git/objects/objectStore.ts';
import { refuseLargeMetadata } from './metadataSize.ts';
import { refuseOtherTags } from './refuseOtherTags.ts';
import { factsOfLine } from './pageLine.ts';
import { rereadPages } from './rereadPages.ts';
import {
  spoolName,
  type ReadingProgress,
  type ReadingStage,
  type RepositoryReading,
  type RepositoryRequest,
} from './repositoryReading.ts';
import { type ContentOutline, readSpaceContent } from '@bindery/dialect/repository-reader';
import type { PageFacts, SpaceContent } from '@bindery/dialect/repository-format';
import { foldersTo, listTree, type SkippedEntry, type TreeFile } from '../git/objects/tree.ts';

/**
 * Reads the content of a space from a remote repository: the ref, then the trees, then only the unknown
 * blobs.
 *
 * Runs in a process of its own (`repositoryChild.ts`), because everything it reads is untrusted.
 * @throws JobError
 */
export async function readRepository(
  request: RepositoryRequest,
  progress: ReadingProgress,
): Promise<RepositoryReading> {
  const { limits } = request;
  let stage: ReadingStage = 'repo_fetch';
  const enter = (next: ReadingStage) => progress.onStage((stage = next));
  enter('repo_fetch');

  const http = new GitHttp(createOutbound(request.outbound), {
    url: request.url,
    login: loginOf(request),
    limits,
  });
  const ref = await findRef(http, request.ref);
  progress.onPoint('refs_read');
  const unchanged = { unchanged: true, commit: { oid: ref.oid } } as const;
  if (ref.oid === request.known?.commit)
    return { ...unchanged, history: await readBranchHistory(request, { http, ref }) };

  const spoolPath = join(request.workFolder, spoolName);
  const store = new ObjectStore(spoolPath, limits.maxTotalBytes);
  const objects = new CommitObjects({
    http,
    ref,
    store,
    limits,
    onProgress: (done, total) => progress.onStage(stage, done, total),
  });
  // The server takes a while to send the trees, so the known blobs are loaded at the same time.
  const [known] = await Promise.all([progress.loadKnown(), objects.fetchTrees()]);
  progress.onPoint('pack_indexed');
  const readPast = () => readBranchHistory(request, { http, ref }, { objects: store, last: known.last });

  refuseOtherTags(store, { ref: request.ref, oid: ref.oid });
  // A transfer that looks complete may lack objects; this checks that the commit and its trees arrived.
  const { commit, treeOid } = readCommit(store, ref.oid);
  const push = unrecordedPush(store, ref.oid);
  if (push && (await progress.isUnrecordedPush(push))) return { ...unchanged, history: await readPast() };
  const directory = request.projectDirectory;
  const way = foldersTo(store, { treeOid, directory });
  const folder = { treeOid: way.at(-1)!, path: directory && `${directory}/` };
  const above = { root: treeOid, above: keepTrees(store, way.slice(0, -1)) };
  if (folder.treeOid === request.known?.folder)
    return { ...unchanged, isElsewhere: true, history: await readPast() };
  const reread = await rereadPages({ store, objects, folder, maxPageBytes: limits.maxPageBytes }, known);
  if (reread) {
    progress.onPoint('tree_read');
    enter('content_process');
    const blobs = indexBlobs(store, new Map(reread.facts).keys());
    store.flush();
    const history = await readPast();
    return { unchanged: false, commit, ...above, ...reread, spool: { path: spoolPath, blobs }, history };
  }

  const { files, skipped, trees } = listTree(store, { treeOid, directory, maxEntries: limits.maxEntries });
  progress.onPoint('tree_read');

  enter('config_check');
  const knownPages = indexLines(asLines(known.pages));
  const facts: [string, PageFacts][] = [];
  let outline: ContentOutline | undefined;
  let ahead = likelyTexts(files.values(), knownPages);
  const content = await readSpaceContent(
    {
      entries: files,
      readBlobs: async (oids) => {
        await objects.fetchBlobs([...oids, ...ahead]);
        ahead = [];
        const blobs = oids.map((oid) => store.find(oid)!);
        return new LazyBlobs(
          store,
          blobs.filter(({ size }) => size <= limits.maxPageBytes),
        );
      },
    },
    {
      projectDirectory: directory,
      knownFacts: (oid) => {
        const line = knownPages.get(oid);
        return line === undefined ? undefined : factsOfLine(line);
      },
      onFacts: (oid, found) => void facts.push([oid, found]),
      onOutline: (found) => (outline = found),
      onProgress: (done, total) => progress.onStage((stage = 'content_process'), done, total),
    },
  );

  enter('content_process');
  refuseLargeMetadata(content, facts);
  const knownFiles = indexLines(asLines(known.files));
  const newFiles = () => content.files.map(({ git }) => git.oid).filter((oid) => !knownFiles.has(oid));
  await objects.fetchBlobs(newFiles());
  const tooLarge = takeOutLargeFiles(content, store, limits);
  const blobs = indexBlobs(store, [...facts.map(([oid]) => oid), ...newFiles()]);
  store.flush();
  return {
    unchanged: false,
    commit,
    ...above,
    content,
    facts,
    skipped: [...skipped, ...tooLarge],
    spool: { path: spoolPath, blobs },
    last: { treeOid: folder.treeOid, trees: keepTrees(store, trees), outline: outlineLines(outline) },
    history: await readPast(),
  };
}

/**
 * Formats each file of the content for the next reading. A file with another use besides being a page is not
 * listed as a page.
 */
function outlineLines({ pages, others }: ContentOutline = { pages: [], others: [] }): Buffer {
  return toLines([
    ...pages.map(
      ({ path, label, linkTitle }) => [JSON.stringify(path), JSON.stringify({ label, linkTitle })] as const,
    ),
    ...others.map((path) => [JSON.stringify(path), 'null'] as const),
  ]);
}

/**
 * Selects texts that are probably needed, so that one request fetches all of them: over a network the number
 * of requests costs the time. Selects none on later readings of a repository with much unlisted Markdown,
 * which would be fetched each time.
 */
function likelyTexts(files: Iterable<TreeFile>, known: ReadonlyMap<string, unknown>): string[] {
  const texts = Array.from(files).filter(({ path, oid }) => isLikelyText.test(path) && !known.has(oid));
  return known.size > 0 && texts.length > 200 ? [] : texts.map(({ oid }) => oid);
}

const isLikelyText = /(\.md|(^|\/)\.gitbook(\/[^/]+)?\.yaml)$/i;

/** @returns log entries for the files beyond the limit, which are removed from the content */
function takeOutLargeFiles(
  content: SpaceContent,
  store: ObjectStore,
  { maxFileBytes }: GitLimits,
): SkippedEntry[] {
  const isTooLarge = ({ git }: SpaceContent['files'][number]) =>
    (store.find(git.oid)?.size ?? 0) > maxFileBytes;
  const large = content.files.filter(isTooLarge);
  content.files = content.files.filter((file) => !isTooLarge(file));
  return large.map(({ git }) => ({
    path: git.path,
    message: `The file is larger than ${megabytes(maxFileBytes)}.`,
  }));
}
