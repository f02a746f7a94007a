import { setTimeout as delay } from 'node:timers/promises';

const hits = new Map<string, number>();

/**
 * A place where a test may break this process. Does nothing unless `BINDERY_FAULT=name:n:action` arms it:
 * at the n-th hit of the point `name`, `kill` (SIGKILL), `freeze` (SIGSTOP), `throw`, or `delay-<ms>`.
 */
export async function faultPoint(name: string): Promise<void> {
  const armed = process.env.BINDERY_FAULT;
  if (!armed) return;
  const [point, hit, action] = armed.split(':');
  if (point !== name) return;
  if (process.env.NODE_ENV === 'production') throw new Error('BINDERY_FAULT is for tests; unset it.');
  const count = (hits.get(name) ?? 0) + 1;
  hits.set(name, count);
  if (count !== Number(hit)) return;
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'freeze') process.kill(process.pid, 'SIGSTOP');
  else if (action === 'throw') throw new Error(`Fault at ${name}`);
  else if (action?.startsWith('delay-')) await delay(Number(action.slice('delay-'.length)));
  // A signal to oneself arrives a moment later: nothing after the point may run before it does.
  if (action === 'kill' || action === 'freeze') await delay(50);
}
