import { noQuestions, outcomesOf } from '@bindery/dialect';
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerOf } from './answer.ts';
import { keep, type Asker, type Made } from './keptAnswers.ts';

type Visit = {
  claims?: object;
  conditions?: string[];
  values?: string[];
  specs?: [string, string][];
  /** The answer is made when this ends. */
  until?: Promise<void>;
};

/** A visitor with these claims, who sees these versions of specifications. */
function askerWith(claims: object, specs: [string, string][] = []): Asker {
  const seen = new Map(specs);
  return {
    claims,
    askedMs: performance.now(),
    questions: noQuestions(),
    outcomesOf: (asked) => outcomesOf(asked, { claims: claims as never }),
    versionsOf: async (names) => new Map(Array.from(names, (name) => [name, seen.get(name)])),
  };
}

/** Asks for an address as a visitor whose answer is decided by these questions; counts what was made. */
function addressAsked() {
  const address = randomUUID();
  let made = 0;
  const ask = async (
    { claims = {}, conditions = [], values = [], specs, until }: Visit,
    isLasting = true,
  ) => {
    const asker = askerWith(claims, specs);
    const { questions } = asker;
    const make = async (): Promise<Made> => {
      made += 1;
      const number = made;
      await until;
      for (const condition of conditions) questions.conditions.add(condition);
      for (const value of values) questions.values.add(value);
      const answer = answerOf(`${number}`, { contentType: 'text/plain' });
      return { answer, isLasting, specs: specs && new Map(specs) };
    };
    return Number((await keep({ exact: address }, asker, make)).plain.toString());
  };
  return ask;
}

const onPlan = 'visitor.claims.plan == "pro"';

describe('a kept answer', () => {
  it('is shared by visitors with other claims for whom its conditions have the same outcomes', async () => {
    const ask = addressAsked();
    const visit = (id: number, plan: string) => ask({ claims: { id, plan }, conditions: [onPlan] });
    expect(await visit(1, 'pro')).toBe(1);
    expect(await visit(2, 'pro')).toBe(1);
    expect(await visit(3, 'free')).toBe(2);
    expect(await visit(4, 'other')).toBe(2);
    expect(await visit(5, 'pro')).toBe(1);
  });

  it('is not shared by visitors for whom it shows other values', async () => {
    const ask = addressAsked();
    const visit = (name: string, id: number) =>
      ask({ claims: { name, id }, values: ['visitor.claims.name'] });
    expect(await visit('Ada', 1)).toBe(1);
    expect(await visit('Grace', 2)).toBe(2);
    expect(await visit('Ada', 3)).toBe(1);
    // A claim that cannot be shown is no value.
    expect(await ask({ claims: { name: null }, values: ['visitor.claims.name'] })).toBe(3);
  });

  it('is found by all conditions that were evaluated at its address, including later ones', async () => {
    const ask = addressAsked();
    const inner = 'visitor.claims.beta';
    const pro = (beta: boolean) => ask({ claims: { plan: 'pro', beta }, conditions: [onPlan, inner] });
    const free = () => ask({ claims: { plan: 'free' }, conditions: [onPlan] });
    expect(await free()).toBe(1);
    expect(await pro(true)).toBe(2);
    expect(await pro(false)).toBe(3);
    expect([await pro(true), await pro(false)]).toEqual([2, 3]);
    // The first answer was kept before the second question was known.
    expect(await free()).toBe(4);
    expect(await free()).toBe(4);
  });

  it('shows the versions of specifications that its visitor sees', async () => {
    const ask = addressAsked();
    const first = { specs: [['pets', 'v1']] } satisfies Visit;
    const second = { specs: [['pets', 'v2']] } satisfies Visit;
    const both = [await ask(first), await ask(second), await ask(first), await ask(second)];
    expect(both).toEqual([1, 2, 1, 2]);
  });

  it('is rendered once for visitors who ask at once', async () => {
    const ask = addressAsked();
    const answers = Array.from({ length: 20 }, () => ask({ conditions: [onPlan] }));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([1]));
  });

  it('is not shared with waiting visitors if making it reveals a condition that they meet differently', async () => {
    const ask = addressAsked();
    const inner = 'visitor.claims.beta';
    await ask({ claims: { plan: 'free' }, conditions: [onPlan] });
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const pro = (beta: boolean) => ask({ claims: { plan: 'pro', beta }, conditions: [onPlan, inner], until });
    const answers = [pro(true), pro(false), pro(true), pro(false)];
    await new Promise((done) => setImmediate(done));
    resolve();
    expect(await Promise.all(answers)).toEqual([2, 3, 2, 3]);
  });

  it('is shared briefly if it is not lasting', async () => {
    const ask = addressAsked();
    expect([await ask({}, false), await ask({}, false)]).toEqual([1, 1]);
  });

  it('is made for each visitor if it depends on too many conditions', async () => {
    const much = addressAsked();
    const conditions = Array.from({ length: 201 }, (_, n) => `visitor.claims.n == ${n}`);
    const visit = (id: number) => much({ claims: { id }, conditions });
    expect([await visit(1), await visit(2), await visit(1)]).toEqual([1, 2, 1]);
  });
});

describe('the last answer of a place', () => {
  /** Asks for a page in a state of its site; the answer names the state in which it was made. */
  function placeAsked() {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const place = randomUUID();
    const made: string[] = [];
    const ask = async (
      state: string,
      {
        claims = {},
        isPreview = false,
        until,
      }: { claims?: object; isPreview?: boolean; until?: Promise<void> } = {},
    ) => {
      const asker = askerWith(claims);
      const make = async (): Promise<Made> => {
        if (state === 'broken') throw new Error('It cannot be made.');
        await until;
        asker.questions.conditions.add(onPlan);
        made.push(state);
        return { answer: answerOf(state, { contentType: 'text/plain' }), isLasting: true };
      };
      const address = { exact: `${place} ${state}`, place: () => (isPreview ? undefined : place) };
      return (await keep(address, asker, make)).plain.toString();
    };
    return { ask, made };
  }

  it('is given while the next one is made, during its first second', async () => {
    const { ask, made } = placeAsked();
    expect(await ask('1')).toBe('1');
    vi.advanceTimersByTime(800);
    expect(await ask('1')).toBe('1');
    vi.advanceTimersByTime(800);
    expect(await Promise.all([ask('2'), ask('2')])).toEqual(['1', '1']);
    await vi.waitUntil(async () => (await ask('2')) === '2');
    expect(made).toEqual(['1', '2']);
  });

  it('is too old after a second', async () => {
    const { ask } = placeAsked();
    expect(await ask('1')).toBe('1');
    vi.advanceTimersByTime(900);
    expect(await ask('2')).toBe('2');
  });

  it('is as old as the request that it was made for, however long making it took', async () => {
    const { ask } = placeAsked();
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const slow = ask('1', { until });
    await new Promise((done) => setImmediate(done));
    vi.advanceTimersByTime(5_000);
    resolve();
    expect(await slow).toBe('1');
    expect(await ask('2')).toBe('2');
  });

  it('is not given to visitors for whom its conditions have other outcomes, nor in a preview', async () => {
    const { ask } = placeAsked();
    expect(await ask('1')).toBe('1');
    expect(await ask('2', { claims: { plan: 'pro' } })).toBe('2');
    expect(await ask('3', { isPreview: true })).toBe('3');
  });

  it('expires even if the next one cannot be made', async () => {
    const { ask } = placeAsked();
    expect([await ask('1'), await ask('broken')]).toEqual(['1', '1']);
    vi.advanceTimersByTime(900);
    await expect(ask('broken')).rejects.toThrow('It cannot be made.');
  });
});
