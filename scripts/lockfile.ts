export type Dependencies = Record<string, string>;

export type Manifest = {
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
  optionalDependencies?: Dependencies;
};

export type LockedPackage = Manifest & {
  /** Absent where the folder has it. */
  name?: string;
  version?: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  peerDependencies?: Dependencies;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

export type Lockfile = { lockfileVersion: number; packages: Record<string, LockedPackage> };

/** The folder that `name` resolves to from the package in `folder`, by Node's look-up rules. */
export function resolvedFolder(lock: Lockfile, folder: string, name: string): string | undefined {
  for (let parent = folder; ; parent = parentOf(parent)) {
    const found = `${parent && `${parent}/`}node_modules/${name}`;
    if (lock.packages[found]) return found;
    if (parent === '') return undefined;
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
}
