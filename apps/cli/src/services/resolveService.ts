import { basename, join } from 'node:path';
import { findOnPath, isExecutable, probeBinary } from './probeBinary.ts';
import { versionText, type Service, type Surroundings, type Version, type Wheel } from './service.ts';

/** A program to start, and where it was found. */
export type FoundBinary = { path: string; version: Version; found: string };

/**
 * Where a store comes from on this machine:
 *
 * - `url`: it already runs elsewhere
 * - `binary`: a program to start
 * - `installable`: there is none, but it can be installed
 * - `refused`: the requested program cannot be used, or there is no way to get one; `problem` has the reason,
 *   `fixes` the remedies
 *
 * `passedOver` explains for every earlier step why it was not taken.
 */
export type Resolution = { passedOver: string[] } & (
  | { kind: 'url'; url: string }
  | ({ kind: 'binary' } & FoundBinary)
  | { kind: 'installable'; wheel?: Wheel; debianPackage?: string }
  | { kind: 'refused'; problem: string; fixes: readonly string[] }
);

/**
 * Looks for a store without changing anything, in the same order for every service: the URL in the
 * environment, the binary named by the environment, the binary that made the data, a binary on PATH, a copy
 * installed earlier, and last an installable program.
 */
export async function resolveService(
  service: Service,
  surroundings: Surroundings,
  { recordedBinary }: { recordedBinary?: string } = {},
): Promise<Resolution> {
  const { environment } = surroundings;
  const passedOver: string[] = [];

  const url = environment[service.urlVariable];
  if (url) return { kind: 'url', url, passedOver };
  passedOver.push(`${service.urlVariable} is not set`);

  const named = environment[service.binaryVariable];
  if (named) {
    const probe = await probeBinary(service, named);
    // A program requested by name is used or refused, never silently replaced.
    if ('problem' in probe) {
      return {
        kind: 'refused',
        passedOver,
        problem: `${service.binaryVariable}=${named} ${probe.problem}.`,
        fixes: fixesFor(service, probe.missingLibrary),
      };
    }
    return { kind: 'binary', ...probe, found: `named by ${service.binaryVariable}`, passedOver };
  }
  passedOver.push(`${service.binaryVariable} is not set`);

  const onPath = await Promise.all(service.binaryNames.map((name) => findOnPath(name, environment.PATH)));
  const places = [
    { path: recordedBinary, found: 'the one its data was made with', absent: undefined },
    ...onPath.map((path, index) => ({
      path,
      found: 'on PATH',
      absent: `no ${service.binaryNames[index]} on PATH`,
    })),
    {
      path: await cachedBinary(service, surroundings),
      found: 'installed earlier',
      absent: 'none installed earlier',
    },
  ];
  for (const { path, found, absent } of places) {
    if (!path) {
      if (absent) passedOver.push(absent);
      continue;
    }
    const probe = await probeBinary(service, path);
    if ('version' in probe) return { kind: 'binary', ...probe, found, passedOver };
    passedOver.push(`${path} ${probe.problem}`);
  }

  return { passedOver, ...whatToInstall(service, surroundings) };
}

/**
 * Returns the path of an installed wheel's program; its folder names the wheel, so that each version has its
 * own copy.
 */
export function cachedPath(wheel: Wheel, surroundings: Surroundings): string {
  return join(surroundings.cacheFolder, wheel.requirement.replace('==', '-'), basename(wheel.member));
}

/** Describes a program for people: `mongod 6.0.5, on PATH (/usr/bin/mongod)`. */
export function describeBinary({ path, version, found }: FoundBinary): string {
  return `${basename(path)} ${versionText(version)}, ${found} (${path})`;
}

export function fixesFor(service: Service, missingLibrary?: string): readonly string[] {
  if (!missingLibrary) return service.fixes;
  return [
    `Install the library (Debian, Ubuntu: \`apt-get install ${service.debian.libraries.join(' ')}\`) and try again.`,
    ...service.fixes,
  ];
}

async function cachedBinary(service: Service, surroundings: Surroundings): Promise<string | undefined> {
  const wheel = service.wheels[surroundings.machine];
  const path = wheel && cachedPath(wheel, surroundings);
  return path && (await isExecutable(path)) ? path : undefined;
}

function whatToInstall(service: Service, { machine, environment }: Surroundings) {
  const wheel = service.wheels[machine];
  const debianPackage = machine.startsWith('linux-') ? service.debian.program : undefined;
  if (!wheel && !debianPackage) {
    return {
      kind: 'refused' as const,
      problem: `There is no ${service.title} here, and none that could be installed on ${machine}.`,
      fixes: service.fixes,
    };
  }
  if (environment.BINDERY_NO_INSTALL) {
    return {
      kind: 'refused' as const,
      problem: `There is no ${service.title} here, and BINDERY_NO_INSTALL forbids installing it.`,
      fixes: service.fixes,
    };
  }
  return { kind: 'installable' as const, wheel, debianPackage };
}
