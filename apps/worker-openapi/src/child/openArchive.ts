import { readArchive, type ArchiveLimits } from '@bindery/archive';
import { JobError } from '@bindery/contract/jobErrors';
import { FileRefused, standardLimits, type LoadFile, type SpecificationFile } from '@bindery/openapi';
import type { SpecReading } from './specWork.ts';

const { files: entries, fileBytes: entryBytes, totalBytes } = standardLimits;
const limits: ArchiveLimits = { entries, entryBytes, totalBytes };
const root = 'bindery-archive:///';

export type OpenedArchive =
  | { kind: 'opened'; entry: SpecificationFile; loadFile: LoadFile }
  | Extract<SpecReading, { kind: 'unusable' }>;

/**
 * Opens a specification in a ZIP archive.
 *
 * @param entry  path of the entry document; by default the `openapi` or `swagger` document nearest to the
 *   root, or the only document at the root
 */
export async function openArchive(archive: Buffer, entry: string | undefined): Promise<OpenedArchive> {
  let files: Map<string, Buffer>;
  try {
    files = await readArchive(archive, { limits, uploaded: 'The uploaded file' });
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return unusable('archive', [error.message, error.action].filter(Boolean).join(' '));
  }
  const path = entry === undefined ? findEntry([...files.keys()]) : withoutDots(entry);
  const bytes = path === undefined ? undefined : files.get(path);
  if (path === undefined || !bytes)
    return unusable(
      'archive-entry',
      entry === undefined
        ? 'The archive has no obvious root file; name it with `entry`.'
        : 'The archive has no file at the path `entry`.',
    );
  return {
    kind: 'opened',
    entry: { url: urlOf(path), bytes },
    loadFile: async (url) => {
      if (!url.startsWith(root))
        throw new FileRefused('The specification is an archive, so all its files must be in that archive.');
      const file = files.get(pathOf(url));
      if (!file) throw new FileRefused('The archive has no such file.');
      return { url, bytes: file };
    },
  };
}

/** Names of entry documents, the best first. */
const entryNames = ['openapi', 'swagger', 'api', 'index'].flatMap((name) =>
  ['yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`),
);

function findEntry(paths: readonly string[]): string | undefined {
  // macOS adds files of its own.
  const candidates = paths
    .filter((path) => /\.(ya?ml|json)$/i.test(path) && !/(^|\/)(__MACOSX\/|\.)/.test(path))
    .toSorted((one, other) => depthOf(one) - depthOf(other));
  const [first] = candidates;
  if (first === undefined) return undefined;
  const nearest = candidates.filter((path) => depthOf(path) === depthOf(first));
  if (nearest.length === 1) return first;
  for (const name of entryNames) {
    const found = nearest.filter((path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase() === name);
    if (found.length === 1) return found[0];
  }
  return undefined;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function withoutDots(path: string): string {
  return pathOf(urlOf(path.replace(/^\/+/, '')));
}

function urlOf(path: string): string {
  return new URL(root + path.split('/').map(encodeURIComponent).join('/')).href;
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname.slice(1)).normalize('NFC');
  } catch {
    return pathname.slice(1);
  }
}

function unusable(rule: string, message: string): OpenedArchive {
  return { kind: 'unusable', findings: [{ rule, message }], findingCount: 1 };
}
