import { JobError } from '@bindery/contract/jobErrors';

import { ByteWindow } from './byteWindow.ts';
import type { GitHttp, GitService } from './gitHttp.ts';
import { maxAdvertisementBytes } from './limits.ts';
import {
  delimiterLine,
  endedEarly,
  flushLine,
  notGit,
  packetText,
  pktLine,
  readPacket,
  refusedByServer,
} from './pktLine.ts';

/** The commit of a ref, and the server's capabilities. */
export type RemoteRef = { oid: string; capabilities: ReadonlySet<string> };

const allowedRef = /^refs\/(heads\/[^\s\p{Cc}]+|pull\/\d+\/(head|merge)|merge-requests\/\d+\/head)$/u;

/**
 * Asks the server for the commit of a ref.
 *
 * One request in protocol version 0 is enough for nearly every repository. If its list exceeds 5 MB and the
 * ref is not near the beginning (tens of thousands of pull requests), this one ref is requested in version 2,
 * with two requests.
 *
 * @throws JobError not_found when the ref does not exist; auth, bad_content, and network errors
 */
export async function findRef(http: GitHttp, ref: string): Promise<RemoteRef> {
  const { oid, capabilities } = await findRefIfAny(http, ref);
  if (!oid) {
    const name = ref.startsWith('refs/heads/') ? `Branch ${ref}` : `The ref ${ref}`;
    throw new JobError('not_found', `${name} does not exist in the repository; check \`ref\`.`);
  }
  return { oid, capabilities };
}

/** The same for a ref that may be missing: then without an oid. An empty repository has no refs at all. */
export async function findRefIfAny(
  http: GitHttp,
  ref: string,
): Promise<Partial<RemoteRef> & Pick<RemoteRef, 'capabilities'>> {
  if (!allowedRef.test(ref))
    throw new JobError('not_found', 'The ref is neither a branch nor a pull request; check `ref`.');
  const list = await readRefList(http, 'git-upload-pack', ref);
  const { oid, capabilities } = list.oid || list.isComplete ? list : await lookUpRef(http, ref);
  refuseOtherObjectFormat(capabilities);
  if (!oid) return { capabilities };
  if (!/^[0-9a-f]{40}$/.test(oid)) throw notGit();
  return { oid, capabilities };
}

/** Reads the server's capabilities for pushes. @throws JobError auth, bad_content, network errors */
export async function findPushCapabilities(http: GitHttp): Promise<ReadonlySet<string>> {
  const { capabilities } = await readRefList(http, 'git-receive-pack');
  refuseOtherObjectFormat(capabilities);
  return capabilities;
}

function refuseOtherObjectFormat(capabilities: ReadonlySet<string>): void {
  if (!capabilities.has('object-format=sha256')) return;
  throw new JobError('bad_content', 'The repository uses SHA-256 object ids, which are not supported.', {
    action: 'Use a repository with SHA-1 object ids, which every git host makes by default.',
  });
}

type RefSearch = { oid: string | undefined; capabilities: Set<string>; isComplete: boolean };

/** Versions 0 and 1: `<oid> <name>` lines, the first with the capabilities after a NUL. */
async function readRefList(http: GitHttp, service: GitService, ref?: string): Promise<RefSearch> {
  const search: RefSearch = { oid: undefined, capabilities: new Set(), isComplete: false };
  await eachLine(await http.advertisement(service), (line) => {
    // Version 1 announces itself first, even unrequested; a shallow repository tells where its history ends.
    if (line === 'version 1' || line.startsWith('shallow ')) return;
    const [reference = '', capabilities] = line.split('\0');
    if (capabilities !== undefined) search.capabilities = new Set(capabilities.trim().split(' '));
    const space = reference.indexOf(' ');
    if (space < 40 || search.capabilities.size === 0) throw notGit();
    if (reference.slice(space + 1) === ref) search.oid = reference.slice(0, space);
  }).then((isComplete) => (search.isComplete = isComplete));
  return search;
}

/** Version 2: the capabilities first, then a request for the refs whose names begin like this one. */
async function lookUpRef(http: GitHttp, ref: string): Promise<RefSearch> {
  const version = { 'git-protocol': 'version=2' };
  const search: RefSearch = { oid: undefined, capabilities: new Set(), isComplete: true };
  await eachLine(await http.advertisement('git-upload-pack', version), (line) => {
    // The list of refs again: this server does not support version 2.
    if (line.includes('\0')) throw tooManyRefs();
    // `fetch=shallow filter` contains what the first protocol calls `shallow` and `filter`.
    const [name, value] = line.split('=', 2);
    if (name === 'fetch')
      search.capabilities = new Set([
        ...(value ?? '').split(' '),
        'side-band-64k',
        'ofs-delta',
        'no-progress',
      ]);
    if (name === 'object-format') search.capabilities.add(line);
  });
  const lines = [pktLine('command=ls-refs\n'), delimiterLine, pktLine(`ref-prefix ${ref}\n`), flushLine];
  await eachLine(await http.uploadPack(lines.join(''), version), (line) => {
    const [oid, name] = line.split(' ');
    if (name === ref) search.oid = oid;
  });
  return search;
}

/** Passes on the lines of an answer, without the service's name. @returns false when they exceed 5 MB */
async function eachLine(body: AsyncIterable<Uint8Array>, onLine: (line: string) => void): Promise<boolean> {
  const window = new ByteWindow(body);
  let bytes = 0;
  let isNameOfService = false;
  try {
    for (;;) {
      const packet = await readPacket(window);
      if (packet === undefined) throw endedEarly();
      if (packet === 'flush' && !isNameOfService) break;
      if (typeof packet === 'string') {
        isNameOfService = false;
        continue;
      }
      bytes += packet.length;
      if (bytes > maxAdvertisementBytes) return false;
      const line = packetText(packet);
      if (line.startsWith('ERR ')) throw refusedByServer();
      isNameOfService = line.startsWith('# service=');
      if (!isNameOfService) onLine(line);
    }
    // Reading to the end lets the connection be reused.
    if (await window.fill(1)) throw notGit();
    return true;
  } finally {
    await window.close();
  }
}

function tooManyRefs(): JobError {
  return new JobError(
    'limit',
    'The repository has too many branches, tags and pull requests to look through.',
    {
      action:
        'Delete refs that are not needed, or host the repository on a server that speaks version 2 of the git protocol.',
    },
  );
}
