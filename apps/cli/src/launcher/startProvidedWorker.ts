import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@bindery/runtime';
import type { Tools } from '../services/runTool.ts';
import type { PlannedApp } from './apps.ts';
import type { FailureNotices } from './output/failureNotices.ts';
import type { Run } from './run.ts';
import { startApps } from './startApps.ts';
import { surroundings } from './startStores.ts';
import type { Supervised } from './supervise.ts';

/** The network may be away; nothing else waits for these workers. */
const retryMs = 600_000;

/** Programs and files that a worker cannot start without, and that the launcher may have to install. */
export type Need = {
  /** The work that waits without them, such as `PDF`. */
  work: string;
  /** Looks for them. @returns variables for the worker; undefined if something is missing */
  find(tools: Tools): Promise<NodeJS.ProcessEnv | undefined>;
  /** Finds or installs them. @throws Error that says what is missing */
  provide(tools: Tools): Promise<NodeJS.ProcessEnv>;
  /** Why the worker does not run, for every reader: during the installation, and after it failed. */
  reasons: { installing: string; missing: string };
};

/**
 * Starts the workers of an app with the programs that they need. Installs missing ones while everything else
 * starts and runs; until then, their jobs wait, and say why.
 *
 * @returns the workers; none while an installation goes on, after which they start
 */
export async function startProvidedWorker(
  run: Run,
  app: PlannedApp,
  {
    need,
    ...options
  }: { need: Need; environment: NodeJS.ProcessEnv; graceMs: number; notices: FailureNotices },
): Promise<Supervised[]> {
  const tools: Tools = { surroundings: surroundings(run.environment), say: run.say, signal: run.signal };
  const start = async (given: NodeJS.ProcessEnv) =>
    startApps(run, [app], { ...options, environment: { ...options.environment, ...given } });
  const found = await need.find(tools);
  if (found) return start(found);
  const note = (reason: string) =>
    options.notices.listenersFor(app.name).onDeath({ reason, deaths: 0, pauseMs: retryMs, pid: undefined });
  const later = provideAndStart(need, { tools, note, start });
  run.undo.defer(() => later);
  return [];
}

async function provideAndStart(
  { work, provide, reasons }: Need,
  {
    tools,
    note,
    start,
  }: {
    tools: Tools;
    note: (reason: string) => void;
    start: (given: NodeJS.ProcessEnv) => Promise<unknown>;
  },
): Promise<void> {
  const { signal, say } = tools;
  let said: string | undefined;
  while (!signal?.aborted) {
    try {
      note(reasons.installing);
      await start(await provide(tools));
      return;
    } catch (error) {
      if (signal?.aborted) return;
      const problem = messageOf(error);
      if (problem !== said) say(`${work}: ${problem}\n${work}: everything else works without it.`);
      said = problem;
      note(reasons.missing);
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}
