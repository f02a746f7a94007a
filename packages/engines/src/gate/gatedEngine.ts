import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '@bindery/contract';
import { engineCalls } from '@bindery/metrics';
import type { Engine, EngineAnswer, EngineRequest } from '../engine.ts';
import type { CallOutcome, Gate, GateAnswer, GateCause } from './gate.ts';

/** Between two looks at a gate that is full, or that another process probes. Varied by a half. */
const lookMs = 250;

/**
 * Puts an engine behind a gate. After its wait, a call throws a JobError of the class `throttled`, which
 * frees the slot of its run and costs it no attempt.
 *
 * @param patienceMs  how long a call waits behind a closed gate, also when it has closed it itself
 * @param turnMs      how long it waits for its turn while other calls are under way
 */
export function gatedEngine(
  engine: Engine,
  { gate, patienceMs, turnMs }: { gate: Gate; patienceMs: number; turnMs: number },
): Engine {
  return {
    ...engine,
    route: (pair) => engine.route(pair),
    close: async () => engine.close(),
    async translate(texts, request) {
      const untilMs = performance.now() + patienceMs;
      const turnUntilMs = performance.now() + turnMs;
      for (;;) {
        const { leave } = await enter(engine.name, {
          ...{ gate, signal: request.signal, untilMs, turnUntilMs },
        });
        const answers = await attempt(engine, { texts, request, leave, untilMs });
        if (answers) return answers;
      }
    },
  };
}

type Entered = Extract<GateAnswer, { state: 'in' }>;
type Waiting = { signal: AbortSignal; untilMs: number; turnUntilMs: number };

async function enter(
  engine: string,
  { gate, signal, untilMs, turnUntilMs }: Waiting & { gate: Gate },
): Promise<Entered> {
  for (;;) {
    signal.throwIfAborted();
    const answer = await gate.enter();
    if (answer.state === 'in') return answer;
    const waitMs = answer.state === 'closed' ? answer.waitMs : lookMs * (0.5 + Math.random());
    if (performance.now() + waitMs > (answer.state === 'full' ? turnUntilMs : untilMs))
      throw answer.state === 'full'
        ? new JobError('throttled', `Too many calls to the engine ${engine} are under way.`)
        : closed(engine, { cause: answer.cause, waitMs: answer.waitMs });
    await delay(waitMs, undefined, { signal });
  }
}

/** @returns undefined when the gate is closed now, and the call may wait for it */
async function attempt(
  engine: Engine,
  {
    texts,
    request,
    leave,
    untilMs,
  }: {
    texts: readonly string[];
    request: EngineRequest;
    leave: Entered['leave'];
    untilMs: number;
  },
): Promise<EngineAnswer[] | undefined> {
  let answers: EngineAnswer[];
  try {
    answers = await measured(engine, texts, request);
  } catch (error) {
    const outcome: CallOutcome = request.signal.aborted ? { kind: 'left' } : outcomeOf(error);
    const { closedMs, isShared } = await leave(outcome);
    const { kind } = outcome;
    if (!isShared || (kind !== 'throttled' && kind !== 'failed') || (kind === 'failed' && closedMs === 0))
      throw error;
    if (performance.now() + closedMs <= untilMs) return undefined;
    throw closed(engine.name, { cause: kind, waitMs: closedMs });
  }
  await leave({ kind: 'answered' });
  return answers;
}

function outcomeOf(error: unknown): CallOutcome {
  if (!(error instanceof JobError)) return { kind: 'left' };
  if (error.class === 'throttled') return { kind: 'throttled', retryAfterMs: error.retryAfterMs };
  if (error.class === 'transient') return { kind: 'failed' };
  const { code } = error;
  return { kind: 'refused', note: code === 'quota' || code === 'auth' ? code : undefined };
}

function closed(engine: string, { cause, waitMs }: { cause: GateCause; waitMs: number }): JobError {
  const time = new Date(Date.now() + waitMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const why = cause === 'throttled' ? 'asks to wait' : 'has failed repeatedly';
  return new JobError('throttled', `The translation engine ${engine} ${why}; it is asked again at ${time}.`, {
    retryAfterMs: waitMs,
  });
}

async function measured(
  engine: Engine,
  texts: readonly string[],
  request: EngineRequest,
): Promise<EngineAnswer[]> {
  const startedAtMs = performance.now();
  const end = (outcome: string) =>
    engineCalls.observe({ engine: engine.name, outcome }, (performance.now() - startedAtMs) / 1_000);
  try {
    const answers = await engine.translate(texts, request);
    end('ok');
    return answers;
  } catch (error) {
    if (error instanceof JobError) end(error.code);
    else end(request.signal.aborted ? 'aborted' : 'error');
    throw error;
  }
}
