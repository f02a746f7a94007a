import { randomUUID } from 'node:crypto';
import { enterScript, leaveScript, readScript, renewScript } from './gateScripts.ts';

/**
 * Runs a Lua script in the Redis of an installation.
 *
 * @param keys  without the prefix of the installation
 * @returns undefined when Redis does not answer
 */
export type RunScript = (
  script: string,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/** How a call to an engine ended: `refused` by a final answer, `left` before there was one. */
export type CallOutcome =
  | { kind: 'answered' | 'failed' | 'left' }
  | { kind: 'refused'; note?: GateNote }
  | { kind: 'throttled'; retryAfterMs?: number | undefined };

/** Why an engine refuses its calls for good. */
export type GateNote = 'quota' | 'auth';

export type GateCause = 'throttled' | 'failed';

/** Whether a call may begin. `probed`: another process probes whether the engine works again. */
export type GateAnswer =
  | { state: 'in'; leave(outcome: CallOutcome): Promise<{ closedMs: number; isShared: boolean }> }
  | { state: 'closed' | 'probed'; waitMs: number; cause: GateCause }
  | { state: 'full' };

/** A gate as it is now. `waitMs` is absent while it is open, and 0 while a probe is due. */
export type GateState = { waitMs?: number; cause?: GateCause; note?: GateNote };

export type GateLimits = {
  /** The most calls in flight, of all processes. */
  callsAtOnce: number;
  /** Failures in a row that close the gate. */
  failures: number;
  /** The first wait without a time from the engine; each further one is twice as long. */
  baseMs: number;
  /** The longest such wait. */
  capMs: number;
  /** The shortest and the longest wait that an engine can ask for. */
  askedMs: { min: number; max: number };
  /** After this time, a call of a process that died no longer counts. */
  leaseMs: number;
};

/**
 * The gate before an engine, shared by all processes through Redis. It closes for everybody when the engine
 * asks to wait or fails repeatedly; then one call probes, and its success opens the gate. It limits the calls
 * in flight as well. Redis gets no text of a call and no secret.
 *
 * While Redis does not answer, every call is let in, and nobody else learns of its outcome.
 */
export type Gate = { enter(): Promise<GateAnswer> };

const keysOf = (engine: string) => [`engine:${engine}`, `engine:${engine}:calls`];

export function createGate(engine: string, { run, limits }: { run: RunScript; limits: GateLimits }): Gate {
  const keys = keysOf(engine);
  const { callsAtOnce, failures, baseMs, capMs, leaseMs, askedMs } = limits;
  return {
    async enter() {
      const id = randomUUID();
      const answer = await run(enterScript, keys, [id, leaseMs, callsAtOnce]);
      const [state, number, cause] = (answer ?? ['in', 0]) as [string, number, GateCause];
      if (state === 'full') return { state };
      if (state === 'closed' || state === 'probed') return { state, waitMs: number, cause };
      // Without a renewal, the lease of the call ends.
      const renew = () => void run(renewScript, keys, [id, leaseMs]).catch(() => {});
      const renewal = setInterval(renew, leaseMs / 3).unref();
      return {
        state: 'in',
        async leave(outcome) {
          clearInterval(renewal);
          const asked =
            outcome.kind === 'throttled' && outcome.retryAfterMs !== undefined
              ? Math.ceil(Math.min(askedMs.max, Math.max(askedMs.min, outcome.retryAfterMs)))
              : -1;
          const note = (outcome.kind === 'refused' && outcome.note) || '';
          const left = await run(leaveScript, keys, [
            ...[id, number, outcome.kind, note, asked],
            ...[failures, baseMs, capMs, Math.random()],
          ]);
          return { closedMs: (left as [number] | undefined)?.[0] ?? 0, isShared: left !== undefined };
        },
      };
    },
  };
}

/** Reads the gate of an engine; open while Redis does not answer. */
export async function readGate(engine: string, run: RunScript): Promise<GateState> {
  const answer = await run(readScript, keysOf(engine).slice(0, 1), []);
  const [waitMs, cause, note] = (answer ?? [-1, '', '']) as [number, GateCause | '', GateNote | ''];
  return { ...(waitMs >= 0 && cause && { waitMs, cause }), note: note || undefined };
}
