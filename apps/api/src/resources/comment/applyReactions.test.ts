import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReactions } from './applyReactions.ts';

const at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');

describe('reactions', () => {
  it('are added once for each user, and keep their first time', () => {
    const once = applyReactions([], { user: 'ann', added: ['👍', '1f44d'], at });
    expect(once).toEqual([{ emoji: '👍', users: [{ user: 'ann', at }] }]);
    expect(applyReactions(once, { user: 'ann', added: ['👍'], at: later })).toEqual(once);
  });

  it('disappear with their last user', () => {
    const both = applyReactions(applyReactions([], { user: 'ann', added: ['👍'], at }), {
      user: 'bob',
      added: ['👍'],
      at: later,
    });
    const bobs = applyReactions(both, { user: 'ann', removed: ['👍'], at });
    expect(bobs).toEqual([{ emoji: '👍', users: [{ user: 'bob', at: later }] }]);
    expect(applyReactions(bobs, { user: 'bob', removed: ['👍'], at })).toEqual([]);
  });

  it('are applied without changing the given reactions', () => {
    const before = applyReactions([], { user: 'ann', added: ['👍'], at });
    const copy = structuredClone(before);
    applyReactions(before, { user: 'bob', added: ['👍', '🎉'], removed: [], at });
    applyReactions(before, { user: 'ann', removed: ['👍'], at });
    expect(before).toEqual(copy);
  });

  it('of each user depend only on the additions and removals of that user, the last of which counts', () => {
    const emoji = fc.constantFrom('👍', '🎉', '🚀', '❤️');
    const step = fc.record({
      user: fc.constantFrom('ann', 'bob', 'eve'),
      added: fc.array(emoji, { maxLength: 3 }),
      removed: fc.array(emoji, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const expected = new Set<string>();
        for (const { user, added, removed } of steps) {
          for (const one of added) expected.add(`${user} ${one}`);
          for (const one of removed) expected.delete(`${user} ${one}`);
        }
        const reactions = steps.reduce(
          (before, change) => applyReactions(before, { ...change, at }),
          applyReactions([], { user: 'ann', at }),
        );
        const found = reactions.flatMap(({ emoji: one, users }) => users.map(({ user }) => `${user} ${one}`));
        expect(found).toHaveLength(new Set(found).size);
        expect(new Set(found)).toEqual(expected);
      }),
    );
  });
});
