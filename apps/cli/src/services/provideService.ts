import { Refusal } from '../refusal.ts';
import { installService } from './installService.ts';
import { describeBinary, resolveService, type FoundBinary } from './resolveService.ts';
import type { Tools } from './runTool.ts';
import type { Service } from './service.ts';
import { readStoreRecord } from './storeRecord.ts';

/** A store that runs elsewhere, or a program to start. */
export type Provided = { kind: 'url'; url: string } | ({ kind: 'binary' } & FoundBinary);

/**
 * Finds a store, installs it if there is none, and reports which one is used.
 *
 * @param folder  the data folder, which records the program that made the data
 * @throws Refusal with the exact fix when none is available
 */
export async function provideService(
  service: Service,
  { folder, ...tools }: Tools & { folder: string },
): Promise<Provided> {
  const record = await readStoreRecord(folder, service.id);
  const resolution = await resolveService(service, tools.surroundings, {
    recordedBinary: record?.binary,
  });
  if (resolution.kind === 'refused')
    throw new Refusal(
      [resolution.problem, ...resolution.passedOver.map((reason) => `  (${reason})`)].join('\n'),
      resolution.fixes,
    );
  if (resolution.kind === 'url') return resolution;
  const binary = resolution.kind === 'binary' ? resolution : await installService(service, resolution, tools);
  tools.say(`${service.title}: ${describeBinary(binary)}`);
  return { kind: 'binary', path: binary.path, version: binary.version, found: binary.found };
}
