import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { largestChildMessageBytes, openChannel, readMessages, sendMessage } from './channel.ts';
import { describeFailure } from './failure.ts';
import { leavePrivileges } from './leavePrivileges.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';
import { startGroup } from './startGroup.ts';
import type { LimitedWork, LimitedWorks, WorkContext, WorkHandler } from './work.ts';

/** Long enough for a request that was already sent. */
const arrivalMs = 20;
/**
 * A busy worker sends its request sooner, or ends. Preparing more takes twice the processor time of the start
 * itself, for work that may never be requested.
 */
const idleMs = 3_000;

type Loaders<Works extends LimitedWorks> = { [Name in keyof Works]: () => Promise<WorkHandler<Works[Name]>> };

/**
 * The child's side of `LimitedProcesses`: serves the one request that this process was started for; the
 * parent kills it once the answer has arrived.
 *
 * @param loaders  load each work's modules, while this process still has the worker's user and its compile
 *   cache: the first and most frequent one immediately, the others when no request comes for a while
 * @param loadRehearsal  loads what prepares the slow first steps of a work; called only after that time
 */
export function serveOneRequest<Works extends LimitedWorks>(
  loaders: Loaders<Works>,
  { loadRehearsal = async () => async () => {} }: { loadRehearsal?: () => Promise<() => Promise<void>> } = {},
): void {
  const channel = openChannel();
  const say = (message: ChildMessage) => sendMessage(channel, message, largestChildMessageBytes);
  /** The parent kills this process when it has the answer. */
  const fail = (error: unknown) => void say({ kind: 'failed', failure: describeFailure(error) });
  const open = new Map<number, (answer: unknown) => void>();
  const request = Promise.withResolvers<Extract<ParentMessage, { kind: 'request' }>>();
  let isAsked = false;

  const call = (
    message: { kind: 'ask'; name: string; argument: unknown } | { kind: 'group'; pid: number },
  ) => {
    const id = open.size;
    const answer = new Promise<unknown>((resolve) => open.set(id, resolve));
    void say({ ...message, id });
    return answer;
  };
  const context = {
    // An unserializable message ends this process like any unhandled error.
    tell: (event: unknown) => void say({ kind: 'event', event }),
    ask: (name: string, argument: unknown) => call({ kind: 'ask', name, argument }),
    startGroup: (command, args, options) =>
      startGroup(command, args, { ...options, announce: (pid) => call({ kind: 'group', pid }) }),
  } as WorkContext<LimitedWork>;

  // No other user may read the files of this process.
  process.umask(0o077);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  channel.on('error', () => {});
  // The parent does not expect an answer any more.
  channel.on('close', () => process.exit(0));
  const take = (message: ParentMessage) => {
    if (message.kind === 'answer') return open.get(message.id)?.(message.answer);
    isAsked = true;
    request.resolve(message);
  };
  readMessages(channel, { onMessage: (message) => take(message as ParentMessage), onBroken: fail });

  const serve = async () => {
    const handlers = new Map<string, WorkHandler<LimitedWork>>();
    const load = async (name: string) => {
      if (!handlers.has(name))
        handlers.set(name, (await loaders[name as keyof Works]!()) as unknown as WorkHandler<LimitedWork>);
    };
    const arrives = async (withinMs: number) => {
      await Promise.race([request.promise, delay(withinMs, undefined, { ref: false })]);
      return isAsked;
    };
    let rehearse: (() => Promise<void>) | undefined;
    const [likely, ...others] = Object.keys(loaders) as [string, ...string[]];
    if (!(await arrives(arrivalMs))) {
      await load(likely);
      if (!(await arrives(idleMs))) {
        for (const name of others) await load(name);
        rehearse = await loadRehearsal();
      }
    }
    if (isAsked) await load((await request.promise).work);
    // The kill would be too late for saving the compile cache.
    flushCompileCache();
    leavePrivileges();
    if (!isAsked) void rehearse?.().catch(() => {});
    const { work, request: asked } = await request.promise;
    await say({ kind: 'done', result: await handlers.get(work)!(asked, context) });
  };
  serve().catch(fail);
}
