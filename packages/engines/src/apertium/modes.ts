import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LanguagePair } from '../engine.ts';

/** An installation of Apertium: the system's, or one unpacked below a folder. */
export type ApertiumFolder = {
  root: string;
  /** See `findIsolation`. */
  firstUid?: number;
};

/** The packages of Debian with the modes below. */
export const apertiumPackages = [
  'apertium',
  'apertium-eng-spa',
  'apertium-fr-es',
  'apertium-spa-ita',
  'apertium-es-pt',
];

/** A translation from one language into another, as a pipeline of programs for a shell. */
export type Mode = LanguagePair & { pipeline: string };

/**
 * The modes whose texts can be used, by the languages that they translate. Others leave common words
 * untranslated.
 */
const usable: Readonly<Record<string, LanguagePair>> = {
  'eng-spa': { source: 'en', target: 'es' },
  'spa-eng': { source: 'es', target: 'en' },
  'es-fr': { source: 'es', target: 'fr' },
  'fr-es': { source: 'fr', target: 'es' },
  'spa-ita': { source: 'es', target: 'it' },
  'es-pt': { source: 'es', target: 'pt' },
  'es-pt_BR': { source: 'es', target: 'pt-br' },
  'es-ro': { source: 'es', target: 'ro' },
  'ro-es': { source: 'ro', target: 'es' },
};

/** All of them, without their programs. */
export const usableModes: readonly LanguagePair[] = Object.values(usable);

/** Languages through which a text may pass on its way into another. */
const bridges = ['es'];

/**
 * Finds the installed modes. Without Apertium there are none.
 *
 * `apertium-wblank-mode` adds the programs that bind formatting to words, and makes all of them answer each
 * request before the next.
 */
export async function findModes(installation: ApertiumFolder): Promise<Mode[]> {
  const folder = join(installation.root, 'usr/share/apertium/modes');
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((file) => {
    const pair = file.endsWith('.mode') ? usable[file.slice(0, -'.mode'.length)] : undefined;
    return pair ? [{ file, pair }] : [];
  });
  return Promise.all(
    found.map(async ({ file, pair }) => {
      const { stdout } = await promisify(execFile)('apertium-wblank-mode', ['-z', join(folder, file)], {
        env: environmentOf(installation),
      });
      return { ...pair, pipeline: inRoot(stdout, installation.root) };
    }),
  );
}

/** The pipeline of a mode, with the paths of its data below the root. */
function inRoot(pipeline: string, root: string): string {
  const text = pipeline.trim();
  return root === '/' ? text : text.replaceAll("'/usr/share/", `'${join(root, 'usr/share')}/`);
}

/**
 * The modes that lead from one language into another: one, or two through a bridge.
 *
 * @returns undefined when there is no way
 */
export function routeOf<Known extends LanguagePair>(
  modes: readonly Known[],
  { source, target }: LanguagePair,
): Known[] | undefined {
  const find = (from: string, to: string) => modes.find((mode) => mode.source === from && mode.target === to);
  if (source === target) return undefined;
  const direct = find(source, target);
  if (direct) return [direct];
  for (const bridge of bridges) {
    const [first, second] = [find(source, bridge), find(bridge, target)];
    if (first && second) return [first, second];
  }
  return undefined;
}

/** The environment in which the programs of an installation run. */
export function environmentOf({ root }: ApertiumFolder): Record<string, string> {
  if (root === '/') return { LC_ALL: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin' };
  return {
    LC_ALL: 'C.UTF-8',
    PATH: `${join(root, 'usr/bin')}:/usr/bin:/bin`,
    LD_LIBRARY_PATH: ['x86_64', 'aarch64'].map((cpu) => join(root, `usr/lib/${cpu}-linux-gnu`)).join(':'),
  };
}
