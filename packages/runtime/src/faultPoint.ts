import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

let counted: string | undefined;
const hits = new Map<string, number>();

/**
 * A point where a test may break this process. Does nothing unless `BINDERY_FAULT=name:n:action` arms it: at
 * the n-th hit of the point `name`, `kill` (SIGKILL), `freeze` (SIGSTOP), `throw`, or `delay-<ms>`.
 *
 * `BINDERY_FAULT=@<file>` names a file with that text, read at each point, so that a running process can be
 * armed. The empty file `<file>.reached` tells the test that the process has reached the point.
 */
export async function faultPoint(name: string): Promise<void> {
  const given = process.env.BINDERY_FAULT;
  if (!given) return;
  const armed = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
  if (armed === '') return;
  // Hits are counted from the moment of arming.
  if (armed !== counted) hits.clear();
  counted = armed;
  const [point, hit, action] = armed.split(':');
  if (point !== name) return;
  if (process.env.NODE_ENV === 'production') throw new Error('BINDERY_FAULT is for tests; unset it.');
  const count = (hits.get(name) ?? 0) + 1;
  hits.set(name, count);
  if (count !== Number(hit)) return;
  if (given.startsWith('@')) writeFileSync(`${given.slice(1)}.reached`, '');
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'freeze') process.kill(process.pid, 'SIGSTOP');
  else if (action === 'throw') throw new Error(`Fault at ${name}`);
  else if (action?.startsWith('delay-')) await delay(Number(action.slice('delay-'.length)));
  // A signal to oneself arrives with a delay; nothing after the point may run before.
  if (action === 'kill' || action === 'freeze') await delay(50);
}
