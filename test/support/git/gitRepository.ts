import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of a regular file, or an entry with its own mode and object. */
export type RepositoryFile =
  | string
  | Uint8Array
  | { mode: '100755' | '120000'; content: string }
  | { mode: '160000'; oid: string };

/** Paths from the repository's root, `/` between names. */
export type RepositoryFiles = ReadonlyMap<string, RepositoryFile> | Record<string, RepositoryFile>;

export type TreeLine = { mode: string; name: string | Uint8Array; oid: string };

/** A bare repository created and changed by the real git. */
export type GitRepository = {
  path: string;
  git(args: string[], input?: string | Uint8Array): Promise<Buffer>;
  /**
   * Commits to `branch` (default `main`); `null` deletes a file, `isForced` restarts the branch. Returns the
   * commit's oid.
   */
  commit(changes: CommitChanges, options?: CommitOptions): Promise<string>;
  /** Returns the oid of a ref, a commit's tree (`main^{tree}`) or a file (`main:README.md`). */
  oid(revision: string): Promise<string>;
  /** Writes any tree, also one that git itself would refuse. */
  writeTree(lines: TreeLine[]): Promise<string>;
  writeBlob(content: string | Uint8Array): Promise<string>;
  /** Points a ref to a new commit with that tree. */
  commitTree(tree: string, ref?: string): Promise<string>;
};

export type CommitChanges =
  | ReadonlyMap<string, RepositoryFile | null>
  | Record<string, RepositoryFile | null>;
export type CommitOptions = { branch?: string; message?: string; author?: string; isForced?: boolean };

export async function createGitRepository(path: string, files: RepositoryFiles): Promise<GitRepository> {
  await initialize(path);
  const git = (args: string[], input?: string | Uint8Array) => runGit(['-C', path, ...args], input);
  const line = async (args: string[], input?: string | Uint8Array) =>
    (await git(args, input)).toString().trim();

  const repository: GitRepository = {
    path,
    git,
    oid: (revision) => line(['rev-parse', '--verify', revision]),
    commit: async (changes, options = {}) => {
      const ref = `refs/heads/${options.branch ?? 'main'}`;
      const isNew = !hasRef(path, ref);
      return line(
        ['fast-import', '--quiet', '--force', '--date-format=raw'],
        importStream(changes, { ref, isNew, ...options }),
      );
    },
    writeTree: (lines) =>
      line(['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], treeBytes(lines)),
    writeBlob: (content) => line(['hash-object', '-t', 'blob', '-w', '--stdin'], content),
    commitTree: async (tree, ref = 'refs/heads/main') => {
      const commit = await line(['commit-tree', tree, '-m', 'A tree of its own']);
      await git(['update-ref', ref, commit]);
      return commit;
    },
  };
  if (Object.keys(files).length > 0 || (files instanceof Map && files.size > 0))
    await repository.commit(files);
  return repository;
}

/** Like `git init --bare`, without starting git, because most tests create a repository. */
async function initialize(path: string): Promise<void> {
  await Promise.all(
    ['hooks', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'].map((name) =>
      mkdir(join(path, name), { recursive: true }),
    ),
  );
  const core = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
  // Without this, each commit starts a second program, which unpacks the new pack and packs it again.
  await writeFile(join(path, 'config'), `${core}[fastimport]\n\tunpackLimit = 1\n`);
  // Last, because it makes the folder a repository.
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/main\n');
}

function hasRef(path: string, ref: string): boolean {
  if (existsSync(join(path, ref))) return true;
  const packed = join(path, 'packed-refs');
  return (
    existsSync(packed) &&
    readFileSync(packed, 'utf8')
      .split('\n')
      .some((entry) => entry.endsWith(` ${ref}`))
  );
}

/** Builds a stream with one commit and a command that makes git print its oid. */
function importStream(
  changes: CommitChanges,
  options: CommitOptions & { ref: string; isNew: boolean },
): Buffer {
  const parts: Uint8Array[] = [];
  const text = (value: string) => parts.push(Buffer.from(value));
  const bytes = (value: string | Uint8Array) => {
    const content = typeof value === 'string' ? Buffer.from(value) : value;
    text(`data ${content.length}\n`);
    parts.push(content);
    text('\n');
  };
  const person = `${options.author ?? 'Ada Example'} <ada@example.com> 1700000000 +0100`;
  text(`commit ${options.ref}\nmark :1\nauthor ${person}\ncommitter ${person}\n`);
  bytes(options.message ?? 'Change the documentation\n');
  if (!options.isNew && !options.isForced) text(`from ${options.ref}^0\n`);
  if (options.isForced) text('deleteall\n');
  for (const [path, file] of changes instanceof Map ? changes : Object.entries(changes)) {
    const quoted = JSON.stringify(path);
    if (file === null) {
      text(`D ${quoted}\n`);
    } else if (typeof file === 'object' && 'oid' in file) {
      text(`M 160000 ${file.oid} ${quoted}\n`);
    } else if (typeof file === 'object' && 'content' in file) {
      text(`M ${file.mode} inline ${quoted}\n`);
      bytes(file.content);
    } else {
      text(`M 100644 inline ${quoted}\n`);
      bytes(file);
    }
  }
  text('get-mark :1\n');
  return Buffer.concat(parts);
}

function treeBytes(lines: TreeLine[]): Buffer {
  return Buffer.concat(
    lines.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

function runGit(args: string[], input: string | Uint8Array = ''): Promise<Buffer> {
  const child = spawn('git', args, {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...person('AUTHOR'),
      ...person('COMMITTER'),
    },
  });
  const output: Buffer[] = [];
  const problems: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(output))
        : reject(new Error(`git ${args.join(' ')} failed: ${Buffer.concat(problems).toString()}`)),
    );
  });
}

function person(role: 'AUTHOR' | 'COMMITTER'): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: 'Ada Example',
    [`GIT_${role}_EMAIL`]: 'ada@example.com',
    [`GIT_${role}_DATE`]: '1700000000 +0100',
  };
}
