import { choiceOf, createConflictIds, sideOf } from './choices.ts';
import type { Choice, Choices, ChooseSide, PartChoices } from './choices.ts';
import type { ConflictObject, FoundConflict, OpenConflict } from './conflict.ts';

/** The most conflicts that are listed, and the most characters of each of their texts. */
export type ConflictLimits = { entries: number; characters: number };

/** The conflicts of a merge that no choice settles: all are counted, and those within the limits listed. */
export type ConflictList = {
  readonly listed: OpenConflict[];
  readonly total: number;
  /** Ids with a choice that no conflict has. */
  readonly unknown: string[];
  /** Ids of conflicts with a choice for a part of a text, which they are not about. */
  readonly withoutText: string[];
  add(conflicts: readonly FoundConflict[]): void;
  choicesOf(about: ConflictObject): PartChoices;
  chooseSide: ChooseSide;
};

/** @param limits  without them, everything is listed */
export function createConflictList(
  revisions: readonly string[],
  { limits, choices = { byId: new Map() } }: { limits?: ConflictLimits; choices?: Choices } = {},
): ConflictList {
  const listed: OpenConflict[] = [];
  const unknown = new Set(choices.byId.keys());
  const withoutText: string[] = [];
  const idOf = createConflictIds(revisions);
  const chosen = groupByObject(choices);
  let total = 0;
  const choicesOf = (about: ConflictObject): PartChoices => ({
    parts: (chosen.size > 0 && chosen.get(idOf(about))) || nothing,
    otherwise: choices.otherwise,
  });
  const addOne = ({ part, ...conflict }: FoundConflict) => {
    const choice = choiceOf(choicesOf(conflict), part ?? conflict.field);
    if (choice === undefined) total += 1;
    else if (unknown.size === 0) return;
    if (choice === undefined && limits && listed.length >= limits.entries) return;
    const id = `${idOf(conflict)}.${part ?? conflict.field}`;
    unknown.delete(id);
    if (choice === undefined)
      listed.push({ ...(limits ? withCutTexts(conflict, limits.characters) : conflict), id });
    else if (conflict.merged === undefined && (typeof choice === 'object' || choice === 'merged'))
      withoutText.push(id);
  };
  return {
    listed,
    get total() {
      return total;
    },
    get unknown() {
      return [...unknown];
    },
    withoutText,
    add: (conflicts) => {
      for (const conflict of conflicts) addOne(conflict);
    },
    choicesOf,
    chooseSide: (about, part) => sideOf(choicesOf(about), part),
  };
}

const nothing: PartChoices['parts'] = new Map();

function groupByObject({ byId }: Choices): ReadonlyMap<string, PartChoices['parts']> {
  const groups = new Map<string, Map<string, Choice>>();
  for (const [id, choice] of byId) {
    const end = id.indexOf('.');
    const parts = groups.get(id.slice(0, end)) ?? new Map<string, Choice>();
    groups.set(id.slice(0, end), parts.set(id.slice(end + 1), choice));
  }
  return groups;
}

const texts = ['base', 'ours', 'theirs', 'merged'] as const;

function withCutTexts(
  conflict: Omit<FoundConflict, 'part'>,
  characters: number,
): Omit<FoundConflict, 'part'> {
  if (texts.every((name) => (conflict[name]?.length ?? 0) <= characters)) return conflict;
  const cut: Omit<FoundConflict, 'part'> = { ...conflict, cut: true };
  // Drops half of a surrogate pair at the end of a text.
  for (const name of texts)
    if (cut[name] !== undefined && cut[name] !== null)
      cut[name] = cut[name].slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  return cut;
}
