import { findOnPath } from './probeBinary.ts';
import { runTool, type Tools } from './runTool.ts';
import type { Surroundings } from './service.ts';

export async function canUseApt(surroundings: Surroundings): Promise<boolean> {
  return (
    process.getuid?.() === 0 && (await findOnPath('apt-get', surroundings.environment.PATH)) !== undefined
  );
}

/**
 * One apt at a time: both stores are installed concurrently, and apt's own lock would make the second one
 * fail.
 */
let apt: Promise<unknown> = Promise.resolve();

/** Installs packages; fetches the package lists only when they are missing. */
export async function installDebianPackages(names: readonly string[], tools: Tools): Promise<void> {
  const installNow = async () => {
    tools.say(
      `installing the Debian ${names.length === 1 ? 'package' : 'packages'} ${names.join(', ')} with apt-get`,
    );
    // Another process may be installing something.
    const install = 'apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"';
    const command = ['-c', `${install} || { apt-get update -q && ${install}; }`, 'sh', ...names];
    const environment = { ...tools.surroundings.environment, DEBIAN_FRONTEND: 'noninteractive' };
    await runTool('sh', command, { ...tools, surroundings: { ...tools.surroundings, environment } });
  };
  apt = apt.then(installNow, installNow);
  await apt;
}
