import { surroundings } from '../../apps/cli/src/launcher/startStores.ts';
import { canUseApt, installDebianPackages } from '../../apps/cli/src/services/debian.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';

/**
 * Installs the Debian packages of programs that are not on PATH, where that is possible.
 *
 * @param packagesOf the packages of each program
 * @returns the reason why some are missing, if they are
 */
export async function provideDebianPrograms(
  packagesOf: Readonly<Record<string, readonly string[]>>,
): Promise<string | undefined> {
  const here = surroundings(process.env);
  const find = async () => {
    const found = await Promise.all(
      Object.keys(packagesOf).map(async (name) => ({ name, path: await findOnPath(name, process.env.PATH) })),
    );
    return found.filter(({ path }) => !path).map(({ name }) => name);
  };
  const missing = await find();
  if (missing.length === 0) return undefined;
  const packages = [...new Set(missing.flatMap((name) => packagesOf[name]!))];
  if (!(await canUseApt(here)))
    return `${missing.join(', ')} is not on PATH; as root on Debian the tests would install ${packages.join(', ')}`;
  try {
    await installDebianPackages(packages, {
      surroundings: here,
      say: (line) => console.log(`tests: ${line}`),
    });
  } catch (error) {
    return `${packages.join(', ')} could not be installed: ${(error as Error).message}`;
  }
  const still = await find();
  return still.length === 0 ? undefined : `${packages.join(', ')} did not bring ${still.join(', ')}`;
}
