import { emojiKey, invalid, maxReactionKinds } from '@bindery/contract';
import type { ReactionRecord } from '@bindery/models';

export type ReactionChange = {
  user: string;
  added?: readonly string[] | undefined;
  removed?: readonly string[] | undefined;
  at: Date;
};

/**
 * Adds and removes reactions of a user; an emoji in both lists is removed.
 *
 * Variants of an emoji count as the same one, which keeps the form and the place of its first use until
 * nobody uses it.
 * @throws invalid_request when a comment would have too many kinds of reactions
 */
export function applyReactions(
  reactions: readonly ReactionRecord[],
  { user, added = [], removed = [], at }: ReactionChange,
): ReactionRecord[] {
  const gone = new Set(removed.map(emojiKey));
  const kinds = new Map(reactions.map(({ emoji, users }) => [emojiKey(emoji), { emoji, users: [...users] }]));
  for (const emoji of added) {
    const key = emojiKey(emoji);
    if (gone.has(key)) continue;
    const kind = kinds.get(key) ?? { emoji, users: [] };
    if (!kind.users.some((reaction) => reaction.user === user)) kind.users.push({ user, at });
    kinds.set(key, kind);
  }
  for (const key of gone) {
    const kind = kinds.get(key);
    if (kind) kind.users = kind.users.filter((reaction) => reaction.user !== user);
  }
  const used = [...kinds.values()].filter(({ users }) => users.length > 0);
  if (used.length > maxReactionKinds && used.length > reactions.length) {
    throw invalid(
      'body.addedReactions',
      `would make more than ${maxReactionKinds} kinds of reactions on one comment.`,
    );
  }
  return used;
}
