import type { Budget } from './budget.ts';
import { diffSequence } from './diffSequence.ts';
import type { Member } from './member.ts';
import { pairUp } from './pairUp.ts';

/** A step from one side to the other. */
export type Step<Value> =
  | { kind: 'same'; before: Value; after: Value }
  | { kind: 'changed'; before: Value; after: Value }
  | { kind: 'removed' | 'moved-from'; before: Value }
  | { kind: 'added' | 'moved-to'; after: Value };

/**
 * Matches the members of two sides: first equal ones in order, then equal ones in another order, which moved,
 * then similar ones between them, which changed.
 */
export function align<Value>(
  before: readonly Member<Value>[],
  after: readonly Member<Value>[],
  budget: Budget,
): Step<Value>[] {
  const numbers = new Map<string, number>();
  const numbered = (members: readonly Member<Value>[]) =>
    members.map(({ signature }) => {
      const known = numbers.get(signature);
      if (known === undefined) numbers.set(signature, numbers.size);
      return known ?? numbers.size - 1;
    });
  const gaps: Gap<Value>[] = [];
  let [oldAt, nowAt] = [0, 0];
  let gap: Gap<Value> = { removed: [], added: [], then: [] };
  for (const { kind, count } of diffSequence(numbered(before), numbered(after), budget)) {
    if (kind === 'removed') gap.removed.push(...before.slice(oldAt, oldAt + count));
    else if (kind === 'added') gap.added.push(...after.slice(nowAt, nowAt + count));
    else {
      gap.then = before.slice(oldAt, oldAt + count).map(({ value }, index) => ({
        kind: 'same',
        before: value,
        after: (after[nowAt + index] as Member<Value>).value,
      }));
      gaps.push(gap);
      gap = { removed: [], added: [], then: [] };
    }
    if (kind !== 'added') oldAt += count;
    if (kind !== 'removed') nowAt += count;
  }
  gaps.push(gap);
  const moved = findMoved(gaps);
  return gaps.flatMap((each) => [...stepsIn(each, { moved, budget }), ...each.then]);
}

/** Members between equal ones. */
type Gap<Value> = { removed: Member<Value>[]; added: Member<Value>[]; then: Step<Value>[] };

/** The members that are in both sides, but not in the same order. */
function findMoved<Value>(gaps: readonly Gap<Value>[]): Set<Member<Value>> {
  const waiting = new Map<string, Member<Value>[]>();
  for (const member of gaps.flatMap(({ removed }) => removed)) {
    const others = waiting.get(member.signature);
    if (others) others.push(member);
    else waiting.set(member.signature, [member]);
  }
  // From the end, because `pop` takes the last one: equal members keep their order.
  const moved = new Set<Member<Value>>();
  for (const member of gaps.flatMap(({ added }) => added).toReversed()) {
    const source = waiting.get(member.signature)?.pop();
    if (source) moved.add(source).add(member);
  }
  return moved;
}

function stepsIn<Value>(
  { removed, added }: Gap<Value>,
  { moved, budget }: { moved: ReadonlySet<Member<Value>>; budget: Budget },
): Step<Value>[] {
  const isHere = (member: Member<Value>) => !moved.has(member);
  const partners = pairUp(removed.filter(isHere), added.filter(isHere), budget);
  const steps: Step<Value>[] = [];
  let next = 0;
  const addUntil = (end: number) => {
    for (const member of added.slice(next, end))
      steps.push({ kind: moved.has(member) ? 'moved-to' : 'added', after: member.value });
    next = Math.max(next, end);
  };
  const places = new Map(added.map((member, index) => [member, index]));
  for (const member of removed) {
    const partner = partners.get(member);
    if (!partner) {
      steps.push({ kind: moved.has(member) ? 'moved-from' : 'removed', before: member.value });
      continue;
    }
    const place = places.get(partner) as number;
    addUntil(place);
    steps.push({ kind: 'changed', before: member.value, after: partner.value });
    next = place + 1;
  }
  addUntil(added.length);
  return steps;
}
