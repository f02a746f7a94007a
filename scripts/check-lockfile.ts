import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolvedFolder, type Dependencies, type Lockfile, type Manifest } from './lockfile.ts';

const remake =
  'make package-lock.json anew under Node 24 (npm install, then node scripts/complete-lockfile.mjs)';

/**
 * Checks a lockfile. @returns the problems, each with its solution
 *
 * @param manifests  the package.json of the root (key `''`) and of each workspace, by folder
 */
export function problemsOfLockfile(lock: Lockfile, manifests: Record<string, Manifest>): string[] {
  if (lock.lockfileVersion !== 3) return [`lockfileVersion is ${lock.lockfileVersion}, not 3: ${remake}`];
  return [
    ...registryHosts(lock),
    ...wrongNode(lock),
    ...staleManifests(lock, manifests),
    ...missingPackages(lock),
  ];
}

/** Registry addresses in the lockfile: with one, it works only where that registry is reachable. */
function registryHosts(lock: Lockfile): string[] {
  return Object.entries(lock.packages)
    .filter(([, entry]) => entry.resolved !== undefined && !entry.link)
    .map(
      ([folder]) =>
        `${folder} names the registry it came from: remove "resolved" (.npmrc has omit-lockfile-registry-resolved)`,
    );
}

/**
 * On an unsupported Node version, npm silently installs an older swagger-parser, which fetches without
 * protection.
 */
function wrongNode(lock: Lockfile): string[] {
  const version = lock.packages['node_modules/@apidevtools/swagger-parser']?.version;
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return version !== undefined && (major < 13 || (major === 13 && minor < 1))
    ? [`@apidevtools/swagger-parser is ${version}, before 13.1.0, as a Node before 22.19 makes it: ${remake}`]
    : [];
}

function staleManifests(lock: Lockfile, manifests: Record<string, Manifest>): string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
  const stale = Object.entries(manifests).flatMap(([folder, manifest]) =>
    kinds
      .filter((kind) => sorted(manifest[kind]) !== sorted(lock.packages[folder]?.[kind]))
      .map((kind) => `${kind} of ${folder || 'the root'} differ from its package.json: ${remake}`),
  );
  const gone = Object.keys(lock.packages).filter(
    (folder) => !folder.includes('node_modules/') && !manifests[folder],
  );
  return [...stale, ...gone.map((folder) => `the workspace ${folder} is gone: ${remake}`)];
}

function sorted(dependencies: Dependencies = {}): string {
  return JSON.stringify(Object.entries(dependencies).toSorted(([a], [b]) => a.localeCompare(b)));
}

function missingPackages(lock: Lockfile): string[] {
  return Object.entries(lock.packages).flatMap(([folder, entry]) => {
    const problems: string[] = [];
    const has = (name: string, version?: string) => {
      const found = resolvedFolder(lock, folder, name);
      return found !== undefined && (version === undefined || lock.packages[found]?.version === version);
    };
    for (const name of Object.keys({ ...entry.dependencies, ...entry.devDependencies })) {
      if (!has(name)) problems.push(`${folder || 'the root'} needs ${name}, which has no entry: ${remake}`);
    }
    for (const name of Object.keys(entry.peerDependencies ?? {})) {
      if (!entry.peerDependenciesMeta?.[name]?.optional && !has(name))
        problems.push(`${folder} needs ${name} beside it, which has no entry: ${remake}`);
    }
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      // An exact version is a build for one platform; `npm ci` on that platform requires it.
      if (/^\d/.test(version) && !has(name, version))
        problems.push(`${name} ${version} of ${folder} has no entry: run node scripts/complete-lockfile.mjs`);
    }
    const isOurs = folder === '' || entry.link === true || !folder.includes('node_modules/');
    if (!isOurs && !entry.optional && !entry.integrity) problems.push(`${folder} has no checksum: ${remake}`);
    return problems;
  });
}

if (import.meta.main) {
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const folders = [
    '',
    ...globSync('{apps,packages}/*').filter((folder) => existsSync(`${folder}/package.json`)),
  ];
  const manifests = Object.fromEntries(
    folders.map((folder) => [folder, read(`${folder || '.'}/package.json`) as Manifest]),
  );
  const problems = problemsOfLockfile(read('package-lock.json') as Lockfile, manifests);
  for (const problem of problems.slice(0, 20)) console.error(problem);
  console.log(`${problems.length} problems in package-lock.json`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
