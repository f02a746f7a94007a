import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolvedFolder, type LockedPackage, type Lockfile } from './lockfile.ts';

/**
 * A bill of materials in CycloneDX 1.6: the packages that run in production, with version, licence and hash,
 * and which of them needs which.
 *
 * `npm sbom` reads the same lockfile, but leaves out a package that the tests name too.
 */
export type Bom = {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

type Component = {
  type: 'application' | 'library';
  'bom-ref': string;
  name: string;
  group?: string;
  version: string;
  purl?: string;
  licenses?: [{ expression: string }];
  hashes?: [{ alg: 'SHA-512'; content: string }];
};

/**
 * Lists what the apps need, starting at their dependencies and the Node of the root.
 *
 * @param at  the time of the release
 */
export function billOfMaterials(lock: Lockfile, at: Date): Bom {
  const { '': root = {} } = lock.packages;
  const apps = Object.keys(lock.packages).filter((folder) => /^apps\/[^/]+$/.test(folder));
  const edges = new Map<string, string[]>([['', [...needed(lock, ''), ...apps]]]);
  const queue = [...(edges.get('') ?? [])];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (edges.has(folder)) continue;
    const next = needed(lock, folder);
    edges.set(folder, next);
    queue.push(...next);
  }
  const refOf = (folder: string) =>
    folder === '' ? rootRef(root) : refAt(folder, lock.packages[folder] ?? {});
  // A version that several folders have is one component.
  const folderOf = new Map([...edges.keys()].map((folder) => [refOf(folder), folder]));
  const refs = [...folderOf.keys()].toSorted();
  const components = refs
    .map((ref) => folderOf.get(ref) ?? '')
    .filter((folder) => folder !== '')
    .map((folder) => componentOf(folder, lock.packages[folder] ?? {}));
  const dependencies = refs.map((ref) => ({
    ref,
    dependsOn: [...new Set(edges.get(folderOf.get(ref) ?? '')?.map(refOf))].toSorted(),
  }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: 'application',
        'bom-ref': rootRef(root),
        name: 'bindery',
        version: root.version ?? '',
        licenses: [{ expression: 'MIT' }],
      },
    },
    components,
    dependencies,
  };
}

/** The folders of what a package needs at run time; optional packages only where the lockfile has them. */
function needed(lock: Lockfile, folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    lock.packages[folder] ?? {};
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const names = new Set([...peers, ...Object.keys({ ...optionalDependencies, ...dependencies })]);
  return [...names].flatMap((name) => {
    const found = resolvedFolder(lock, folder, name);
    const target = found === undefined ? undefined : lock.packages[found];
    if (found === undefined || !target) return [];
    return [target.link && target.resolved !== undefined ? target.resolved : found];
  });
}

function componentOf(folder: string, entry: LockedPackage): Component {
  const fullName = nameAt(folder, entry);
  const [, group, name = fullName] = /^(@[^/]+)\/(.*)$/.exec(fullName) ?? [];
  const sha512 = /^sha512-(.*)$/.exec(entry.integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': refAt(folder, entry),
    group,
    name,
    version: entry.version ?? '',
    purl: isOurs(folder) ? undefined : purlOf(fullName, entry),
    licenses: entry.license === undefined ? undefined : [{ expression: entry.license }],
    hashes: sha512 ? [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] : undefined,
  };
}

/** One component for each version of a package, however many folders have it. */
function refAt(folder: string, entry: LockedPackage): string {
  return isOurs(folder) ? folder : purlOf(nameAt(folder, entry), entry);
}

function rootRef(root: LockedPackage): string {
  return `bindery@${root.version ?? ''}`;
}

function purlOf(name: string, { version }: LockedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function isOurs(folder: string): boolean {
  return !folder.startsWith('node_modules/') && !folder.includes('/node_modules/');
}

function nameAt(folder: string, entry: LockedPackage): string {
  return entry.name ?? folder.split('node_modules/').at(-1) ?? folder;
}

if (import.meta.main) {
  const lock = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
  ) as Lockfile;
  console.log(JSON.stringify(billOfMaterials(lock, new Date()), undefined, 2));
}
