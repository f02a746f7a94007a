import type { GitRepository } from './gitRepository.ts';
import { seededRandom } from '../seededRandom.ts';

/** A commit to write: `files` are contents by path, null to delete. */
export type CommitToWrite = {
  files: Record<string, string | null>;
  author: string;
  /** The committer's time in seconds since 1970. */
  at: number;
  message?: string | Uint8Array;
  /** Indexes of commits; the one before by default. An empty list makes a first commit. */
  parents?: number[];
  encoding?: string;
};

/** Writes commits to `main` by one fast-import, which takes seconds for 100,000 of them. */
export async function writeHistory(
  repository: GitRepository,
  commits: Iterable<CommitToWrite>,
): Promise<void> {
  const parts: Uint8Array[] = [];
  let index = 0;
  const text = (value: string) => parts.push(Buffer.from(value, 'latin1'));
  const data = (value: string | Uint8Array) => {
    const bytes = Buffer.from(value as string);
    text(`data ${bytes.length}\n`);
    parts.push(bytes, Buffer.from('\n'));
  };
  for (const { files, author, at, message = 'Change', parents, encoding } of commits) {
    const [from, ...merged] = parents ?? (index === 0 ? [] : [index - 1]);
    if (from === undefined) text('reset refs/heads/main\n');
    text(`commit refs/heads/main\nmark :${index + 1}\n`);
    text(`author ${author} ${at - 60} +0000\ncommitter Committer <c@example.org> ${at} +0000\n`);
    if (encoding) text(`encoding ${encoding}\n`);
    data(message);
    if (from !== undefined) text(`from :${from + 1}\n`);
    for (const parent of merged) text(`merge :${parent + 1}\n`);
    for (const [path, content] of Object.entries(files)) {
      text(content === null ? `D ${path}\n` : `M 100644 inline ${path}\n`);
      if (content !== null) data(content);
    }
    index += 1;
  }
  await repository.git(['fast-import', '--quiet', '--force', '--date-format=raw'], Buffer.concat(parts));
}

const authors = [
  'Ada <ada@example.org>',
  'Bob <bob@example.org>',
  'Cy <cy@example.org>',
  'Dee <dee@example.org>',
];

type State = { files: Map<string, string>; commit: number };

const paths = ['README.md', 'a.md', 'b.md', 'guide/README.md', 'guide/c.md', 'guide/deep/d.md', 'code.txt'];

/**
 * Makes a random history: files are added, changed, removed and written again, and branches of one to three
 * commits are merged. With `moves`, files are instead renamed, each to a path that was
 * never there.
 */
export function randomHistory(
  seed: number,
  { length, moves = false }: { length: number; moves?: boolean },
): CommitToWrite[] {
  const random = seededRandom(seed);
  const commits: CommitToWrite[] = [];
  const randomChanges = ({ files }: State): Record<string, string | null> => {
    const changes: Record<string, string | null> = {};
    const candidates = new Set([...(moves && commits.length > 0 ? [] : paths), ...files.keys()]);
    for (let left = 1 + random.below(3); left > 0 && candidates.size > 0; left -= 1) {
      const path = random.pick([...candidates]);
      candidates.delete(path);
      const content = files.get(path);
      if (content !== undefined && moves && path.endsWith('.md') && random.chance(0.4)) {
        Object.assign(changes, { [path]: null, [`moved/m${commits.length}x${left}.md`]: content });
      } else if (content !== undefined && !moves && random.chance(0.25)) changes[path] = null;
      else changes[path] = `Text ${commits.length}.${left}\n`;
    }
    return changes;
  };
  const write = (state: State, files: CommitToWrite['files'], merged: number[] = []): void => {
    const parents = [...(state.commit < 0 ? [] : [state.commit]), ...merged];
    const at = 1_600_000_000 + commits.length * 1000;
    commits.push({ author: random.pick(authors), at, parents, files });
    state.commit = commits.length - 1;
    for (const [path, content] of Object.entries(files))
      if (content === null) state.files.delete(path);
      else state.files.set(path, content);
  };
  const main: State = { files: new Map(), commit: -1 };
  write(main, Object.fromEntries(paths.map((path) => [path, `First ${path}\n`])));
  while (commits.length < length) {
    if (moves || random.chance(0.7)) {
      write(main, randomChanges(main));
      continue;
    }
    const before = main.files;
    const side = { files: new Map(before), commit: main.commit };
    main.files = new Map(before);
    for (let left = 1 + random.below(3); left > 0; left -= 1) write(side, randomChanges(side));
    if (random.chance(0.5)) write(main, randomChanges(main));
    const brought: Record<string, string | null> = {};
    for (const path of new Set([...before.keys(), ...side.files.keys()]))
      if (before.get(path) !== side.files.get(path)) brought[path] = side.files.get(path) ?? null;
    write(main, brought, [side.commit]);
  }
  return commits;
}
