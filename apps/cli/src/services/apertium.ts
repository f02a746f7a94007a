import { apertiumPackages, findModes } from '@bindery/engines/apertiumModes';
import { canUseApt, installDebianPackages } from './debian.ts';
import type { Tools } from './runTool.ts';
import type { Surroundings } from './service.ts';

export const apertiumFixes = [
  `Install it (Debian: \`apt-get install ${apertiumPackages.join(' ')}\`), or name the folder that holds it in BINDERY_APERTIUM_ROOT.`,
];

/**
 * Looks for the language pairs of an Apertium that a worker can use.
 *
 * @returns pairs such as `en-es`; none if it is missing or damaged
 */
export async function findApertium(root: string): Promise<string[]> {
  const modes = await findModes({ root }).catch(() => []);
  return modes.map(({ source, target }) => `${source}-${target}`).toSorted();
}

/** Whether the system's packages may and can be installed. */
export async function canInstallApertium(root: string, surroundings: Surroundings): Promise<boolean> {
  return root === '/' && !surroundings.environment.BINDERY_NO_INSTALL && canUseApt(surroundings);
}

/**
 * Finds Apertium; as root on Debian, installs its packages.
 *
 * @throws Error with the reason for which there is none
 */
export async function provideApertium(root: string, tools: Tools): Promise<string[]> {
  const found = await findApertium(root);
  if (found.length > 0) return found;
  if (await canInstallApertium(root, tools.surroundings)) {
    await installDebianPackages(apertiumPackages, tools);
    const installed = await findApertium(root);
    if (installed.length > 0) return installed;
  }
  throw new Error(['There is no Apertium here.', ...apertiumFixes].join(' '));
}
