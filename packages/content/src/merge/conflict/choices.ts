import { sha256 } from '../../store/hash.ts';
import type { ConflictObject } from './conflict.ts';

export type Side = 'ours' | 'theirs';

/**
 * The version that is taken for a conflict: that of a side as a whole. For a part of a text also the merge of
 * its lines, or a text instead of it.
 */
export type Choice = Side | 'merged' | { text: string };
/** For a part of a text also a side whose lines are taken where both changed the same ones. */
export type TextChoice = Choice | { linesOf: Side };

/** The choices for the conflicts of a merge: by their ids, and a side for all others. */
export type Choices = { byId: ReadonlyMap<string, Choice>; otherwise?: Side | undefined };

/** The choices for the conflicts of one object, by its parts. */
export type PartChoices = { parts: ReadonlyMap<string, Choice>; otherwise?: Side | undefined };

/** Returns the side chosen for a part of an object; undefined where the rules of the merge apply. */
export type ChooseSide = (about: ConflictObject, part: string) => Side | undefined;

/** Returns what was chosen for a part of a text. A side for all conflicts keeps lines of the other alone. */
export function textChoiceOf({ parts, otherwise }: PartChoices, part: string): TextChoice | undefined {
  return parts.get(part) ?? (otherwise && { linesOf: otherwise });
}

/** Returns what was chosen for a part of an object; undefined where the rules of the merge apply. */
export function choiceOf({ parts, otherwise }: PartChoices, part: string): Choice | undefined {
  return parts.get(part) ?? otherwise;
}

/** Returns the chosen side; undefined also where something else was chosen. */
export function sideOf(choices: PartChoices, part: string): Side | undefined {
  const choice = choiceOf(choices, part);
  return choice === 'ours' || choice === 'theirs' ? choice : undefined;
}

/** Names the conflicts of a merge of these revisions: `<hash of revisions and object>.<part>`. */
export function createConflictIds(revisions: readonly string[]): (about: ConflictObject) => string {
  return ({ page, file, reusableContent, variable, redirect }) =>
    sha256(JSON.stringify([...revisions, { page, file, reusableContent, variable, redirect }])).slice(0, 20);
}
