import { noQuestions, type Questions } from '@bindery/dialect';
import { maxSpecNames } from '@bindery/publishing';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { sizeOf, type Answer } from './answer.ts';
import { makeSoon } from './makeSoon.ts';

/** The versions of specifications that a visitor sees, by name; no version for those that it does not see. */
export type SpecVersions = ReadonlyMap<string, string | undefined>;

/** An answer that was made. `isLasting`: whether it is right for as long as the site stays as it is. */
export type Made = { answer: Answer; isLasting: boolean; specs?: SpecVersions | undefined };

/** The questions and specifications that decide the answer at an address; each new answer adds its own. */
type Asked = { questions: Questions; specs: Set<string> };

/** A visitor who asks. `claims` stand for the outcomes until the questions are known. */
export type Asker = {
  claims: object;
  /** When the request came, by `performance.now()`: before its site was read. */
  askedMs: number;
  /** The questions that were asked while the answer was made. */
  questions: Questions;
  outcomesOf: (questions: Questions) => string;
  versionsOf: (names: ReadonlySet<string>) => Promise<SpecVersions>;
};

const cacheBytes = 64 * 1024 * 1024;
/** Visitors of a page with more questions share no answer: to find its outcomes would take too long. */
const mostQuestions = 200;
/** How long an answer is kept that took too much: readers who try again must not take it each time. */
const briefMs = 10_000;
/** How long the last answer may take the place of a new one: a publish shows within a second. */
const graceMs = 900;

/** `rightMs`: when the last request came for which it was right. */
type Kept = { answer: Answer; rightMs: number };

/** The key of an answer, if others for whom it has this key may have it. */
type Keyed = { answer: Answer; key: string | undefined };

const kept = new LRUCache<string, Kept>({
  maxSize: cacheBytes,
  sizeCalculation: ({ answer }) => sizeOf(answer),
});
const pending = new Map<string, Promise<Keyed>>();
/** The limit is their size in bytes, about: each publish adds one for each page that is read. */
const asked = new LRUCache<string, Asked>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ questions: { conditions, values }, specs }, address) =>
    700 + address.length + 50 * (conditions.size + values.size + specs.size),
});
/** The key of the last answer for a place, by that of the place. */
const lastKeys = new LRUCache<string, string>({ max: 20_000 });

/**
 * The part of an answer's key that is the same for all visitors. `exact` holds the state of the site and the
 * path. `place` holds only what a reader has to see at once: other changes show within a second. It is long,
 * and only a new answer needs it.
 */
export type Address = { exact: string; place?: () => string | undefined };

/**
 * The answer that is kept for an address, or a new one. Visitors share it when the conditions that decide it
 * have the same outcomes for them, and when they see the same versions of the specifications in it. Those who
 * ask for it at once share one rendering.
 *
 * While a new answer is made, readers of the same place get the last one, if that was right in the last
 * second: a publish makes the frames of all pages anew, and many readers would wait for theirs.
 */
export async function keep(address: Address, asker: Asker, make: () => Promise<Made>): Promise<Answer> {
  const key = await keyFor(address.exact, asker);
  const known = kept.get(key);
  if (known) {
    known.rightMs = Math.max(known.rightMs, asker.askedMs);
    return known.answer;
  }
  const place = address.place?.();
  const makeNow = async () => makeOnce(key, { address, place, asker, make });
  const last = place === undefined ? undefined : await findLast(place, asker);
  if (!last) return makeNow();
  // An error comes up when the last answer is too old.
  makeSoon(key, async () => kept.has(key) || makeNow()).catch(() => undefined);
  return last;
}

/** `place`: that of the address. */
type Wish = { address: Address; place: string | undefined; asker: Asker; make: () => Promise<Made> };

/** Makes an answer, or waits for the one that is being made for visitors with this key. */
async function makeOnce(key: string, wish: Wish): Promise<Answer> {
  const { address, asker, make } = wish;
  const underWay = pending.get(key);
  if (!underWay) {
    const making = makeFor(wish).finally(() => pending.delete(key));
    pending.set(key, making);
    return (await making).answer;
  }
  const made = await underWay;
  if (made.key === undefined) return (await makeFor(wish)).answer;
  // It may have asked more, so that visitors who had the same key do not see the same.
  return made.key === (await keyFor(address.exact, asker)) ? made.answer : keep(address, asker, make);
}

async function findLast(place: string, asker: Asker): Promise<Answer | undefined> {
  const last = kept.get(lastKeys.get(await keyFor(place, asker)) ?? '');
  return last && performance.now() - last.rightMs < graceMs ? last.answer : undefined;
}

async function makeFor({ address: { exact }, place, asker, make }: Wish): Promise<Keyed> {
  const { answer, isLasting, specs = new Map() } = await make();
  if (answer.status !== 200 || !noteAsked(exact, asker, specs)) return { answer, key: undefined };
  const key = await keyFor(exact, asker, specs);
  kept.set(key, { answer, rightMs: asker.askedMs }, isLasting ? {} : { ttl: briefMs });
  if (place !== undefined && noteAsked(place, asker, specs))
    lastKeys.set(await keyFor(place, asker, specs), key);
  return { answer, key };
}

/**
 * Adds to what decides the answers at an address: other outcomes may have led to other questions, and an
 * answer is kept by all of them. @returns false when it is too much to look up at once
 */
function noteAsked(address: string, { questions }: Asker, specs: SpecVersions): boolean {
  const before = asked.get(address) ?? { questions: noQuestions(), specs: new Set() };
  const names = before.specs.union(new Set(specs.keys()));
  if (names.size > maxSpecNames) return false;
  asked.set(address, {
    questions: {
      conditions: before.questions.conditions.union(questions.conditions),
      values: before.questions.values.union(questions.values),
    },
    specs: names,
  });
  return true;
}

/** @param seen  the versions that an answer shows; another may be the current one meanwhile */
async function keyFor(address: string, asker: Asker, seen: SpecVersions = new Map()): Promise<string> {
  const decides = asked.get(address);
  if (!decides) return keyOf([address, asker.claims]);
  const { questions, specs } = decides;
  const isLong = questions.conditions.size + questions.values.size > mostQuestions;
  const outcomes = isLong ? asker.claims : asker.outcomesOf(questions);
  const current = specs.size > 0 ? await asker.versionsOf(specs) : seen;
  const versions = Array.from(specs, (name) => (seen.has(name) ? seen.get(name) : current.get(name)) ?? null);
  return keyOf([address, outcomes, versions]);
}

function keyOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
