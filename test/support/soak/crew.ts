import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AppName, AppProcess } from '../processes/appProcess.ts';
import type { FaultLab } from '../processes/faultLab.ts';

/** The processes of a soak: of each app some that live to the end, and some that faults kill and replace. */
export type Crew = {
  /** Processes that no fault touches; their memory is measured. */
  steady: AppProcess[];
  /** The places of processes that faults touch. */
  places: { name: AppName; app: AppProcess }[];
  /** An API process for the next request, in turns. */
  api(): AppProcess;
  /** Starts the successor of a process that has ended. */
  replace(place: Crew['places'][number]): Promise<void>;
};

export async function startCrew(
  lab: FaultLab,
  { steady, exposed }: { steady: readonly AppName[]; exposed: readonly AppName[] },
): Promise<Crew> {
  // In turns: processes that load their code at once keep each other waiting.
  const started: AppProcess[] = [];
  const NODE_OPTIONS = `--import=${pathToFileURL(join(import.meta.dirname, '../../fixtures/collectedHeap.ts')).href}`;
  for (const name of steady) started.push(await lab.start(name, { environment: { NODE_OPTIONS } }));
  for (const name of exposed) started.push(await lab.start(name));
  let turn = 0;
  const crew: Crew = {
    steady: started.slice(0, steady.length),
    places: started.slice(steady.length).map((app) => ({ name: app.name, app })),
    api: () => {
      const apis = [...crew.steady, ...crew.places.map(({ app }) => app)].filter(
        ({ name }) => name === 'api',
      );
      turn += 1;
      return apis[turn % apis.length]!;
    },
    replace: async (place) => {
      place.app = await lab.start(place.name);
    },
  };
  return crew;
}
