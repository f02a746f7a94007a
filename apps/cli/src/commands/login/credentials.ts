import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { Refusal } from '../../refusal.ts';

const Credentials = z.object({
  /** The URL that is used when none is named: that of the last login. */
  current: z.string().optional(),
  logins: z.record(z.string(), z.object({ token: z.string().min(1) })),
});

/** The kept logins: tokens by the URL of the API, without `/v1`. */
export type Credentials = z.infer<typeof Credentials>;

/** The file of the kept logins. A relative XDG_CONFIG_HOME has no effect, as its standard says. */
export function credentialsFile({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  const configuration =
    XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(configuration, 'bindery', 'credentials.json');
}

/**
 * @returns no logins if there is no file
 * @throws Refusal for a file that others can read, that is a link, or that has another form
 */
export function readCredentials(file: string): Credentials {
  const text = readOwn(file);
  if (text === undefined) return { logins: {} };
  const parsed = Credentials.safeParse(parseJson(text));
  if (!parsed.success)
    throw new Refusal(`${file} does not have the form of kept logins.`, [
      'Remove the file and run `bindery login` again.',
    ]);
  return parsed.data;
}

/** Replaces the file at once; only the user can read it and its folder. Without logins there is no file. */
export function writeCredentials(file: string, credentials: Credentials): void {
  if (Object.keys(credentials.logins).length === 0) return rmSync(file, { force: true });
  const folder = join(file, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const next = `${file}.${randomUUID()}`;
  try {
    writeFileSync(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
}

function readOwn(file: string): string | undefined {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Refusal(`${file} cannot be read: ${code}.`, ['It must be a file of yours, not a link.'], {
      cause: error,
    });
  }
  try {
    const { mode, uid } = fstatSync(opened);
    const isForOthers = (mode & 0o077) !== 0 || (process.getuid && uid !== process.getuid());
    // Windows has no such modes; the folder of the user is closed to others there.
    if (isForOthers && process.platform !== 'win32')
      throw new Refusal(`Others can read ${file}, or it is not yours.`, [
        `Make it yours alone: \`chmod 600 ${file}\`; replace the tokens in it if others may have read them.`,
      ]);
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
