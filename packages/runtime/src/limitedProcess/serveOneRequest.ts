import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { describeFailure } from './failure.ts';
import { leavePrivileges } from './leavePrivileges.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';
import { startGroup } from './startGroup.ts';
import type { LimitedWork, LimitedWorks, WorkContext, WorkHandler } from './work.ts';

/** Long enough for a request that is there already. */
const arrivalMs = 20;

type Loaders<Works extends LimitedWorks> = { [Name in keyof Works]: () => Promise<WorkHandler<Works[Name]>> };

/**
 * The other side of `LimitedProcesses`: serves the one request that this process was started for, and is killed when the answer is there.
 *
 * @param loaders   loads what each work needs: while this process still has the worker's user, which has the compiled modules
 * @param rehearse  what the first work of a process would have to wait for; done only while there is no request
 */
export function serveOneRequest<Works extends LimitedWorks>(
  loaders: Loaders<Works>,
  { rehearse = async () => {} }: { rehearse?: () => Promise<void> } = {},
): void {
  const open = new Map<number, (answer: unknown) => void>();
  const request = Promise.withResolvers<Extract<ParentMessage, { kind: 'request' }>>();
  let isAsked = false;

  const call = (message: { kind: 'ask'; name: string; argument: unknown } | { kind: 'group'; pid: number }) => {
    const id = open.size;
    const answer = new Promise<unknown>((resolve) => open.set(id, resolve));
    say({ ...message, id });
    return answer;
  };
  const context = {
    tell: (event: unknown) => say({ kind: 'event', event }),
    ask: (name: string, argument: unknown) => call({ kind: 'ask', name, argument }),
    startGroup: (command, args, options) => startGroup(command, args, { ...options, announce: (pid) => call({ kind: 'group', pid }) }),
  } as WorkContext<LimitedWork>;

  // What it writes is for nobody else.
  process.umask(0o077);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  // Nobody waits for it any more.
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'answer') return open.get(message.id)?.(message.answer);
    isAsked = true;
    request.resolve(message);
  });

  const serve = async () => {
    await Promise.race([request.promise, delay(arrivalMs)]);
    const names = isAsked ? [(await request.promise).work] : Object.keys(loaders);
    const handlers = new Map<string, WorkHandler<LimitedWork>>();
    for (const name of names) handlers.set(name, (await loaders[name as keyof Works]!()) as unknown as WorkHandler<LimitedWork>);
    // It will be killed, which is too late for writing down what was compiled.
    flushCompileCache();
    leavePrivileges();
    if (!isAsked) void rehearse().catch(() => {});
    const { work, request: asked } = await request.promise;
    say({ kind: 'done', result: await handlers.get(work)!(asked, context) });
  };
  serve().catch(fail);
}

function fail(error: unknown): void {
  say({ kind: 'failed', failure: describeFailure(error) });
}

/** The process that asked kills this one when it has the answer. */
function say(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}
