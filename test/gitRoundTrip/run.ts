import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentRootOf, findDocument, loadPageIndex, openTree, type PageTree } from '@bindery/content';
import { GitSyncPoint, type SpaceRecord } from '@bindery/models';
import { pagePathOfFile } from '../../packages/dialect/src/repository-format/paths.ts';
import { startBenchStores } from '../../bench/support/stores.ts';
import { editContent, setFields, storeSource } from '../support/content/editContent.ts';
import type { GitRepository, RepositoryFile } from '../support/git/gitRepository.ts';
import { flatten, startImportLab } from '../support/git/importing.ts';

// Checks the round trip of real repositories through a space: an export without an edit commits nothing, and
// one edit changes one file.

const usage = 'npm run test:git-round-trip -- <git directory>[:<project directory>]...';
const args = process.argv.slice(2);
if (args.length === 0) {
  console.error(
    `Imports repositories and exports them again, and says what changed that should not have.\n\n    ${usage}`,
  );
  process.exit(2);
}
const stores = await startBenchStores();
Object.assign(process.env, {
  MONGODB_URI: stores.mongodbUri,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
  LOG_LEVEL: 'error',
  BINDERY_GIT_MAX_TOTAL_MB: '2048',
  BINDERY_GIT_MAX_PACK_MB: '1024',
});
const lab = await startImportLab({ hasProcesses: true });
let hasProblem = false;
console.log(
  '| Repository | pages | paths | in sync | never met | one page edited | imported again | page inserted | moved below another | removed |\n|---|---|---|---|---|---|---|---|---|---|',
);
for (const [index, arg] of args.entries()) {
  const [path = '', projectDirectory = ''] = arg.split(':');
  try {
    await judge(path, { projectDirectory, name: `r${index}.git` });
  } catch (error) {
    hasProblem = true;
    console.log(`| ${path} | ${String(error).slice(0, 300)} |`);
  }
}
await lab.close();
await stores.stop();
process.exit(hasProblem ? 1 : 0);

async function judge(
  source: string,
  { projectDirectory, name }: { projectDirectory: string; name: string },
): Promise<void> {
  const repository = await lab.gitServer.createRepository(
    name,
    filesOf(existsSync(join(source, '.git')) ? join(source, '.git') : source),
  );
  const options = { projectDirectory };
  const space = await lab.newSpace();
  await succeed(lab.importInto(space, repository.url, options));
  const pages = (await pagesOf(space)).length;
  const results: string[] = [];
  const note = (problem: string | undefined) => {
    hasProblem ||= problem !== undefined;
    results.push(problem ?? 'ok');
  };

  note(await wrongPath(space));
  const base = await repository.oid('main');
  await succeed(lab.exportFrom(space, repository.url, options));
  note(await differs(repository, base, []));
  await GitSyncPoint.deleteMany({ space: space._id });
  const again = await lab.exportFrom(space, repository.url, options);
  note(
    again.state === 'succeeded'
      ? await differs(repository, base, [])
      : `${again.error?.code}: ${await wouldChange(space, repository)}`,
  );
  if (again.state !== 'succeeded')
    await succeed(lab.importInto(space, repository.url, { ...options, force: true }));

  const edited = (await pagesOf(space)).find(
    (page) => page.type === 'document' && page.document && page.git,
  ) as Document;
  const bytes = await edit(space, edited);
  await exported(repository, space, options);
  const file = edited.git?.path ?? '';
  note((await differs(repository, base, [`M\t${file}`])) ?? (await holds(repository, file, bytes)));

  const other = await lab.newSpace();
  await succeed(lab.importInto(other, repository.url, options));
  const head = await repository.oid('main');
  await succeed(lab.exportFrom(other, repository.url, options));
  note(
    (await differs(repository, head, [])) ??
      ((await outline(space)) === (await outline(other)) ? undefined : 'another content'),
  );

  const inserted = {
    type: 'document' as const,
    id: 'insertedpage',
    title: 'A new_page [1]',
    slug: 'a-new-page',
    path: 'a-new-page',
    pages: [],
  };
  const document = await storeSource(space.organization, '# A new\\_page \\[1]\n\nWords.\n');
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  await editContent(space, (tree) => tree.insert({ ...inserted, ...times, document }, { into: null }));
  const beforeInsert = await repository.oid('main');
  await exported(repository, space, options);
  note(
    (await summaryOnly(repository, beforeInsert, /^A\t.*a-new-page\.md$/)) ??
      (await comesBack(space, repository, options)),
  );

  const beforeMove = await repository.oid('main');
  await editContent(space, (tree) => {
    tree.move('insertedpage', { into: edited.id });
    setFields(tree, 'insertedpage', {
      path: edited.path === '' ? 'a-new-page' : `${edited.path}/a-new-page`,
    });
  });
  await exported(repository, space, options);
  const moved = await changesSince(repository, beforeMove);
  note(moved.length === 0 ? 'no change' : await comesBack(space, repository, options));

  await editContent(space, (tree) => tree.remove('insertedpage'));
  await exported(repository, space, options);
  const files = await changesSince(repository, beforeInsert);
  note(
    files.some((line) => /a-new-page/.test(line))
      ? `left: ${files.join(', ')}`
      : await comesBack(space, repository, options),
  );
  console.log(`| ${source} | ${pages} | ${results.join(' | ')} |`);
}

/** The newest commit of a repository. A blob that a partial copy lacks is some bytes of its own. */
function filesOf(folder: string): Map<string, RepositoryFile> {
  const git = (args: string[], input?: string) =>
    execFileSync('git', ['--git-dir', folder, ...args], {
      maxBuffer: 2 ** 31,
      ...(input !== undefined && { input }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  const lines = git(['ls-tree', '-r', '-z', 'HEAD']).toString().split('\0').filter(Boolean);
  const entries = lines.map((line) => {
    const [head = '', path = ''] = line.split('\t');
    const [mode = '', , oid = ''] = head.split(' ');
    return { mode, oid, path };
  });
  const oids = [...new Set(entries.filter(({ mode }) => mode !== '160000').map(({ oid }) => oid))];
  const there = git(['cat-file', '--batch-check'], oids.map((oid) => `${oid}\n`).join(''))
    .toString()
    .split('\n');
  const missing = new Set(there.filter((line) => line.endsWith(' missing')).map((line) => line.slice(0, 40)));
  const found = oids.filter((oid) => !missing.has(oid));
  const bytes = git(['cat-file', '--batch'], found.map((oid) => `${oid}\n`).join(''));
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const [oid = '', , size = '0'] = bytes.toString('latin1', at, end).split(' ');
    blobs.set(oid, bytes.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  const files = new Map<string, RepositoryFile>();
  for (const { mode, oid, path } of entries) {
    const content = blobs.get(oid) ?? Buffer.from(`Not here: ${oid}`);
    if (mode === '160000') files.set(path, { mode, oid });
    else if (mode === '100755' || mode === '120000') files.set(path, { mode, content: content.toString() });
    else files.set(path, content);
  }
  return files;
}

/**
 * Paths follow the tree, are unique, and are found by those of their files too. @returns the first that does
 * not
 */
async function wrongPath(space: SpaceRecord): Promise<string | undefined> {
  const { revision } = await lab.contentOf(space);
  const { byId, byPath, byFilePath } = await loadPageIndex(revision.organization, revision.pages);
  const root = contentRootOf(await openTree(revision.organization, revision.pages));
  for (const { page, ancestors } of byId.values()) {
    if (!('path' in page)) continue;
    const above = ancestors.flatMap((one) => ('path' in one ? [one.slug] : []));
    if (page.path !== [...above, page.slug].join('/')) return `${page.path} is not below ${above.join('/')}`;
    if (byPath.get(page.path)?.page !== page) return `${page.path} is the path of two pages`;
    if (page.type !== 'document' || !page.git) continue;
    const path = pagePathOfFile(page.git.path, { root, landing: undefined });
    if (!byPath.has(path) && !byFilePath.has(path)) return `${path} leads nowhere`;
  }
  return undefined;
}

type Document = Extract<PageTree, { type: 'document' }>;
type Options = { projectDirectory: string };

async function pagesOf(space: SpaceRecord): Promise<PageTree[]> {
  return flatten((await lab.contentOf(space)).tree).map(({ page }) => page);
}

/** Adds a paragraph to a page. @returns the file that it has to become */
async function edit(space: SpaceRecord, page: Document): Promise<Buffer> {
  const source = await findDocument(space.organization, page.document ?? '');
  const bytes = Buffer.concat([
    Buffer.from(source?.frontmatter ?? ''),
    Buffer.from(source?.body ?? ''),
    Buffer.from('\nA last paragraph.\n'),
  ]);
  const document = await storeSource(space.organization, bytes);
  await editContent(space, (tree) => setFields(tree, page.id, { document }));
  return bytes;
}

async function exported(
  repository: GitRepository & { url: string },
  space: SpaceRecord,
  options: Options,
): Promise<void> {
  await succeed(lab.exportFrom(space, repository.url, options));
  await repository.git(['fsck', '--strict', '--no-dangling', '--connectivity-only']);
}

async function changesSince(repository: GitRepository, commit: string): Promise<string[]> {
  const text = (
    await repository.git([
      '-c',
      'core.quotePath=false',
      'diff-tree',
      '-r',
      '--name-status',
      '--no-renames',
      commit,
      'main',
    ])
  ).toString();
  return text.split('\n').filter(Boolean);
}

async function differs(
  repository: GitRepository,
  commit: string,
  expected: string[],
): Promise<string | undefined> {
  const changes = await changesSince(repository, commit);
  const isNewCommit = (await repository.oid('main')) !== commit;
  if (expected.length === 0 && isNewCommit) return `a commit: ${changes.slice(0, 5).join(', ')}`;
  return changes.join() === expected.join()
    ? undefined
    : `changed: ${changes.slice(0, 5).join(', ')} (${changes.length})`;
}

async function summaryOnly(
  repository: GitRepository,
  commit: string,
  expected: RegExp,
): Promise<string | undefined> {
  const changes = await changesSince(repository, commit);
  const rest = changes.filter((line) => !expected.test(line) && !/^[MA]\t(?:.*\/)?SUMMARY\.md$/i.test(line));
  return changes.some((line) => expected.test(line)) && rest.length === 0
    ? undefined
    : `changed: ${changes.slice(0, 5).join(', ')} (${changes.length})`;
}

/**
 * Compares with what a plain clone elsewhere gives, before the repository's own .gitattributes change it on
 * the disk.
 */
async function holds(repository: GitRepository, file: string, bytes: Buffer): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-round-trip-'));
  try {
    execFileSync(
      'git',
      ['clone', '--quiet', '--depth', '1', '--branch', 'main', `file://${repository.path}`, folder],
      { stdio: 'ignore' },
    );
    const given = execFileSync('git', ['-C', folder, 'cat-file', 'blob', `HEAD:${file}`], {
      maxBuffer: 2 ** 31,
    });
    return given.equals(bytes) ? undefined : 'other bytes in a clone';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the branch is read by another space as what the space holds. */
async function comesBack(
  space: SpaceRecord,
  repository: GitRepository & { url: string },
  options: Options,
): Promise<string | undefined> {
  const other = await lab.newSpace();
  await succeed(lab.importInto(other, repository.url, options));
  const [mine, theirs] = [await outline(space), await outline(other)];
  if (mine === theirs) return undefined;
  const [one, two] = [mine.split('\n'), theirs.split('\n')];
  const at = one.findIndex((line, index) => line !== two[index]);
  return `comes back as ${two[at]}, not ${one[at]}`;
}

/** Everything of a space that a reader sees, without ids. */
async function outline(space: SpaceRecord): Promise<string> {
  return flatten((await lab.contentOf(space)).tree)
    .map(({ page, depth }) => {
      const { type, title } = page;
      const path = 'path' in page ? page.path : '';
      const linkTitle = 'linkTitle' in page ? page.linkTitle : '';
      const git = page.type === 'document' ? page.git : undefined;
      return [depth, type, title, path, linkTitle, git?.path, git?.oid].join(' | ');
    })
    .join('\n');
}

async function wouldChange(space: SpaceRecord, repository: GitRepository & { url: string }): Promise<string> {
  const job = await lab.exportFrom(space, repository.url, { dryRun: true });
  return JSON.stringify(job.result?.['changes'] ?? job.error).slice(0, 300);
}

async function succeed(pending: ReturnType<typeof lab.importInto>): Promise<void> {
  const { state, kind, error } = await pending;
  if (state !== 'succeeded') throw new Error(`${kind} ended as ${state}: ${error?.code} ${error?.message}`);
}
