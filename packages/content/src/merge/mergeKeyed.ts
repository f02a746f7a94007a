/** The three versions of an entry; undefined where it is absent. */
export type Versions<Item> = { base: Item | undefined; ours: Item | undefined; theirs: Item | undefined };

/**
 * Merges lists whose entries have keys. Changes, additions and removals of one side are taken; `resolve`
 * decides where both sides differ. The order is that of `ours`; an entry that only `theirs` added follows its
 * predecessor there.
 *
 * @param isSame   tells whether two versions of an entry are equal
 * @param resolve  returns the entry where both sides differ from the base and from each other; undefined
 *   removes it
 */
export function mergeKeyed<Item>(
  lists: { base: readonly Item[]; ours: readonly Item[]; theirs: readonly Item[] },
  {
    keyOf,
    isSame,
    resolve,
  }: {
    keyOf(item: Item): string;
    isSame(a: Item, b: Item): boolean;
    resolve(versions: Versions<Item>): Item | undefined;
  },
): Item[] {
  const byKey = (items: readonly Item[]) => new Map(items.map((item) => [keyOf(item), item]));
  const [base, ours, theirs] = [byKey(lists.base), byKey(lists.ours), byKey(lists.theirs)];
  const areSame = (a: Item | undefined, b: Item | undefined) =>
    a === undefined || b === undefined ? a === b : isSame(a, b);
  const mergedOf = (key: string): Item | undefined => {
    const versions = { base: base.get(key), ours: ours.get(key), theirs: theirs.get(key) };
    if (areSame(versions.ours, versions.theirs) || areSame(versions.theirs, versions.base))
      return versions.ours;
    if (areSame(versions.ours, versions.base)) return versions.theirs;
    return resolve(versions);
  };
  const keys = [...ours.keys()];
  const isNew = (key: string) => !base.has(key) && !theirs.has(key);
  let next = 0;
  for (const key of theirs.keys()) {
    if (ours.has(key)) next = keys.indexOf(key) + 1;
    else {
      // After the additions of ours.
      while (next < keys.length && isNew(keys[next] as string)) next += 1;
      keys.splice(next, 0, key);
      next += 1;
    }
  }
  return keys.flatMap((key) => mergedOf(key) ?? []);
}
