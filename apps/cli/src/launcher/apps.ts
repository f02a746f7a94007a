import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { projectFolder } from './data-folder/folders.ts';

/**
 * The processes that `bindery up` can run: each is a folder below apps/ with a `src/main.ts`. Add new workers
 * here.
 */
const table = [
  { name: 'api', isWorker: false },
  { name: 'site', isWorker: false },
  { name: 'console', isWorker: false },
  { name: 'worker-git', isWorker: true },
  { name: 'worker-maintenance', isWorker: true },
  { name: 'worker-pdf', isWorker: true },
  { name: 'worker-openapi', isWorker: true },
  { name: 'worker-translation', isWorker: true },
] as const;

/** An app and its number of processes; `before` is the number of those of the apps above it. */
export type PlannedApp = { name: string; isWorker: boolean; main: string; count: number; before: number };

/**
 * Plans the processes to start.
 *
 * @param only  names in the table; all apps when absent
 * @param workers  number of processes by worker, with or without the prefix `worker-`; one each by default
 * @throws Refusal for an unknown name
 */
export function planApps({
  only,
  workers,
  appsFolder = join(projectFolder, 'apps'),
}: {
  only?: readonly string[];
  workers?: ReadonlyMap<string, number>;
  appsFolder?: string;
}): PlannedApp[] {
  const here = table.filter(({ name }) => existsSync(join(appsFolder, name, 'src', 'main.ts')));
  const known = here.map(({ name }) => name as string);
  for (const name of only ?? []) {
    if (!known.includes(name))
      throw new Refusal(`--only: there is no ${name}.`, [`Choose from ${known.join(', ')}.`]);
  }
  const counts = new Map<string, number>();
  for (const [given, count] of workers ?? []) {
    const name = given.startsWith('worker-') ? given : `worker-${given}`;
    if (!known.includes(name)) {
      const names = here.filter((app) => app.isWorker).map((app) => app.name.slice('worker-'.length));
      throw new Refusal(`--workers: there is no ${given}.`, [`Choose from ${names.join(', ')}.`]);
    }
    counts.set(name, count);
  }
  let before = 0;
  return here
    .filter(({ name }) => !only || only.includes(name))
    .map(({ name, isWorker }) => ({
      name,
      isWorker,
      main: join(appsFolder, name, 'src', 'main.ts'),
      count: counts.get(name) ?? 1,
    }))
    .filter(({ count }) => count > 0)
    .map((app) => ({ ...app, before: (before += app.count) - app.count }));
}
