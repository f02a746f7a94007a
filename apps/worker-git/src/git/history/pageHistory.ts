import type { Person } from '../objects/identity.ts';
import type { HistoryCommit } from './historyCommit.ts';
import type { PageDifference } from './pageDifferences.ts';

/**
 * The changes of commits to a file. `base` is the path whose earlier history they continue. `oid` is its
 * blob, empty if it was removed; `at` is in seconds since 1970. `by` are indexes of people, the last one
 * first.
 */
export type PageTouch = { path: string; base: string; oid: string; at?: number; by: number[] };

/** The work of a commit on the pages; `merged` has the authors of what it merges, by path, the last first. */
export type CommitWork = {
  commit: HistoryCommit;
  differences: readonly PageDifference[];
  merged?: ReadonlyMap<string, readonly Person[]>;
};

/** The most contributors that are kept of a page: the last ones. */
const maxContributors = 50;

/**
 * Collects the history of pages from the commits of a branch, the oldest first.
 *
 * A file that a commit removes while it adds one with the same content was moved, and keeps its history. One
 * that was removed and is there again goes on from where it ended.
 */
export class PageHistory {
  readonly people: Person[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #touches = new Map<string, PageTouch>();

  add({ commit, differences, merged }: CommitWork): void {
    const sources = sourcesOf(differences);
    const touched = differences.map(({ path, before, after, from }): PageTouch => {
      const isNew = before === undefined && after !== undefined;
      const source = from ?? (isNew ? sources.get(after)?.pop() : undefined);
      const known = this.#touches.get(source ?? path) ?? { base: source ?? path, by: [] };
      const writers = merged?.get(path) ?? [];
      const by = this.#indexesOf(writers.length > 0 ? writers : commit.authors);
      return {
        path,
        base: known.base,
        oid: after ?? '',
        at: commit.at,
        by: [...new Set([...by, ...known.by])].slice(0, maxContributors),
      };
    });
    // Afterwards, because two files may have taken each other's place.
    for (const touch of touched) this.#touches.set(touch.path, touch);
  }

  get touches(): PageTouch[] {
    return [...this.#touches.values()];
  }

  #indexesOf(people: readonly Person[]): number[] {
    return people.map((person) => {
      const key = keyOf(person);
      const known = this.#indexes.get(key);
      if (known !== undefined) {
        // A person is shown by the name of the last commit.
        if (person.name !== '') this.people[known] = person;
        return known;
      }
      this.#indexes.set(key, this.people.length);
      return this.people.push(person) - 1;
    });
  }
}

/** The same e-mail is the same person, or the same name without one. */
function keyOf({ name, email }: Person): string {
  return email === '' ? `n${name}` : `e${email.toLowerCase()}`;
}

/** The paths of removed files by their blob, the first one last. */
function sourcesOf(differences: readonly PageDifference[]): Map<string, string[]> {
  const sources = new Map<string, string[]>();
  for (const { path, before, after } of differences.toReversed()) {
    if (before === undefined || after !== undefined) continue;
    const others = sources.get(before);
    if (others) others.push(path);
    else sources.set(before, [path]);
  }
  return sources;
}
