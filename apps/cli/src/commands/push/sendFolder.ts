import { createHash } from 'node:crypto';
import type { FolderConflict, GitImportChanges } from '@bindery/contract';
import { Refusal } from '../../refusal.ts';
import { ApiRefusal, type ApiAccess } from '../api/apiAccess.ts';
import { apiPath } from '@bindery/runtime';
import { FailedJob, followJob } from '../api/followJob.ts';
import type { Progress } from '../api/showProgress.ts';
import { readLocalFolder } from './readLocalFolder.ts';
import { writeZips } from './writeZip.ts';

export type FolderOptions = {
  name: string;
  subject: string;
  prune: boolean;
  /** Id or number of a change request. */
  changeRequest?: string | undefined;
};

/** The result of a job of the kind `folder-import`. */
export type FolderResult = {
  unchanged: boolean;
  changeRequest?: string;
  changes: GitImportChanges;
  /** The revision of the change request, and that of the main content; `conflicts` are those of both. */
  revision: string;
  mainRevision?: string;
  conflicts: number;
  /** The first of the things with edits that are overridden. */
  conflicting: FolderConflict[];
  /** Nothing was sent, because the change request itself has edits that would be overridden. */
  withheld?: true;
};

/** Sends a folder to a space, as often as wanted: what was sent before is not uploaded again. */
export type FolderSender = {
  /** @throws Refusal when the folder cannot be read or sent, or the import of it fails */
  send(options: FolderOptions & { dryRun: boolean }): Promise<FolderResult>;
};

const MiB = 1024 * 1024;
/** The limits of uploads and of the files of an import, as the API states them. */
const maxArchiveBytes = 20 * MiB;
const maxArchives = 50;

/** @param on.show  is told how far the import is, and of what it leaves out */
export function folderSender(
  api: ApiAccess,
  { root, space, show }: { root: string; space: string; show(progress: Progress): void },
): FolderSender {
  /** Keys of uploads by the hash of their bytes. */
  let uploads = new Map<string, string>();
  let organization: string | undefined;
  const sendArchives = async (
    archives: readonly Buffer<ArrayBuffer>[],
    { dryRun, ...options }: FolderOptions & { dryRun: boolean },
  ): Promise<FolderResult> => {
    organization ??= String((await api.get(apiPath`/spaces/${space}`))['organization']);
    const before = uploads;
    // Kept only if this works: the installation removes uploads after a while.
    uploads = new Map();
    const kept = new Map<string, string>();
    const keys: string[] = [];
    for (const archive of archives) {
      const hash = createHash('sha256').update(archive).digest('hex');
      const key = before.get(hash) ?? (await upload(api, { organization, archive }));
      kept.set(hash, key);
      keys.push(key);
    }
    const path = apiPath`/spaces/${space}/content/folder${{ dryRun: String(dryRun) }}`;
    try {
      const { job } = await api.post(path, { json: { files: keys, ...options } });
      const { result } = await followJob(api, job, show);
      uploads = kept;
      return result as unknown as FolderResult;
    } catch (error) {
      const isReused = keys.some((key) => [...before.values()].includes(key));
      if (isReused && isUploadGone(error)) return sendArchives(archives, { dryRun, ...options });
      throw error;
    }
  };
  return {
    send: async (options) => {
      const { files, notes } = await readLocalFolder(root);
      for (const note of notes) show({ note });
      return sendArchives(archivesOf(files), options);
    },
  };
}

/** Whether the installation has removed an upload: before the import, or before its job began. */
function isUploadGone(error: unknown): boolean {
  if (error instanceof FailedJob) return error.code === 'not_found';
  return error instanceof ApiRefusal && error.details.some(({ path }) => path.startsWith('body.files.'));
}

/** Texts and other files apart: texts change more often. */
function archivesOf(files: readonly { path: string; bytes: Buffer }[]): Buffer<ArrayBuffer>[] {
  const isText = ({ path }: { path: string }) => /\.(?:md|markdown|ya?ml)$/i.test(path);
  const groups = [files.filter(isText), files.filter((file) => !isText(file))];
  const written = groups.map((group) => writeZips(group, { maxBytes: maxArchiveBytes }));
  const [large] = written.flatMap(({ tooLarge }) => tooLarge);
  if (large !== undefined)
    throw new Refusal(`${large} is larger than ${maxArchiveBytes / MiB} MB.`, [
      'Make it smaller, or link to it at another place.',
    ]);
  const archives = written.flatMap((each) => each.archives);
  if (archives.length > maxArchives)
    throw new Refusal(`The folder has more than ${(maxArchives * maxArchiveBytes) / MiB} MB of content.`, [
      'Divide it among several spaces.',
    ]);
  return archives;
}

async function upload(
  api: ApiAccess,
  { organization, archive }: { organization: string; archive: Buffer<ArrayBuffer> },
): Promise<string> {
  const file = { name: 'folder.zip', type: 'application/zip', size: archive.length };
  const { body } = await api.post(apiPath`/orgs/${organization}/storage/upload`, {
    json: { file, kind: 'import_file' },
  });
  await api.upload(String(body['url']), archive);
  return String(body['key']);
}
