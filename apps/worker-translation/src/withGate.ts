import { createGate, gatedEngine, type Engine } from '@bindery/engines';
import { runScript } from '@bindery/jobs';
import type { Config } from '@bindery/runtime';

/**
 * A run that waits longer for an engine makes way for another one, which may use another engine. It waits
 * longer for its turn: the runs before it get on.
 */
const waits = { patienceMs: 20_000, turnMs: 300_000 };

/**
 * Puts an engine behind the gate that all workers share: it obeys the times that the engine asks to wait, and
 * leaves one that fails in peace for a while.
 */
export function withGate(engine: Engine, { translation }: Pick<Config, 'translation'>): Engine {
  const gate = createGate(engine.name, {
    run: runScript,
    limits: {
      callsAtOnce: translation.callsAtOnce,
      failures: 5,
      baseMs: 1_000,
      capMs: 300_000,
      askedMs: { min: 500, max: 3_600_000 },
      leaseMs: 30_000,
    },
  });
  return { ...gatedEngine(engine, { gate, ...waits }), isService: true };
}
