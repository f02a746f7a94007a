import { sha256 } from '../../store/hash.ts';
import type { ConflictObject } from './conflict.ts';

export type Side = 'ours' | 'theirs';

/** The version that is taken for a conflict: that of a side, or a text instead of it for a part of a text. */
export type Choice = Side | { text: string };

/** The choices for the conflicts of a merge: by their ids, and a side for all others. */
export type Choices = { byId: ReadonlyMap<string, Choice>; otherwise?: Side | undefined };

/** The choices for the conflicts of one object, by its parts. */
export type PartChoices = { parts: ReadonlyMap<string, Choice>; otherwise?: Side | undefined };

/** Returns the side chosen for a part of an object; undefined where the rules of the merge apply. */
export type ChooseSide = (about: ConflictObject, part: string) => Side | undefined;

/** Returns what was chosen for a part of an object; undefined where the rules of the merge apply. */
export function choiceOf({ parts, otherwise }: PartChoices, part: string): Choice | undefined {
  return parts.get(part) ?? otherwise;
}

/** Returns the chosen side; undefined also where a text was chosen. */
export function sideOf(choices: PartChoices, part: string): Side | undefined {
  const choice = choiceOf(choices, part);
  return typeof choice === 'string' ? choice : undefined;
}

/** Names the conflicts of a merge of these revisions: `<hash of revisions and object>.<part>`. */
export function createConflictIds(revisions: readonly string[]): (about: ConflictObject) => string {
  return ({ page, file, reusableContent, variable, redirect }) =>
    sha256(JSON.stringify([...revisions, { page, file, reusableContent, variable, redirect }])).slice(0, 20);
}
