import type { HistoryPart, PageEntry, Person } from './historyPart.ts';

/**
 * The changes of commits to a file; see `PageEntry`. They continue the history of the file at `base`.
 * `by` are indexes of people.
 */
export type PageTouch = { path: string; base: string; oid: string; at?: number; by: number[] };

export type HistoryChanges = {
  people: readonly Person[];
  touches: readonly PageTouch[];
  /**
   * The former paths of pages by their new ones, as the sync recognized them: their files may have changed
   * when they were moved.
   */
  moved: ReadonlyMap<string, string>;
};

/** The most contributors that are kept of a page: the last ones. */
const maxContributors = 50;

/** The paths whose history is needed to apply the changes. */
export function pathsOf({ touches, moved }: HistoryChanges): Set<string> {
  const paths = new Set<string>();
  for (const { path, base } of touches) {
    paths.add(path).add(base);
    const before = moved.get(path);
    if (before !== undefined) paths.add(before);
  }
  return paths;
}

/** Computes the entries of the files that commits changed, from what was known of them before. */
export function applyHistory({ people, touches, moved }: HistoryChanges, before: HistoryPart): HistoryPart {
  const touched = new Map(touches.map((touch) => [touch.path, touch]));
  const contributors = ({ base, by }: PageTouch): Person[] => [
    ...by.map((index) => people[index]!),
    ...(before.get(base)?.by ?? []),
  ];
  const entries: HistoryPart = new Map();
  for (const touch of touches) {
    const { path, base, oid, at } = touch;
    const former = moved.get(path);
    const isMove = former !== undefined && base === path && !before.has(path);
    const earlier = isMove ? touched.get(former) : undefined;
    const entry: PageEntry = {
      oid,
      at,
      by: distinct([...contributors(touch), ...(earlier ? contributors(earlier) : [])]),
    };
    entries.set(path, entry);
  }
  return entries;
}

/** The same e-mail is the same person, by the name of the last commit. */
function distinct(people: readonly Person[]): Person[] {
  const found = new Map<string, Person>();
  for (const person of people) {
    const key = person.email === '' ? `n${person.name}` : `e${person.email.toLowerCase()}`;
    if (!found.has(key)) found.set(key, person);
    if (found.size === maxContributors) break;
  }
  return [...found.values()];
}
