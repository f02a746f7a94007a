import { ByteWindow } from './byteWindow.ts';
import type { GitHttp } from './gitHttp.ts';
import { delimiterLine, endedEarly, flushLine, notGit, pktLine, readPacket, refusedByServer } from './pktLine.ts';

/**
 * Fetches one commit with its trees and blobs; without history.
 *
 * @param options.isWithoutBlobs  leaves the blobs out; for servers with the capability `filter`
 * @throws JobError http_status when git refuses; bad_content when the answer ends early
 */
export function fetchCommit(
  http: GitHttp,
  capabilities: ReadonlySet<string>,
  { oid, isWithoutBlobs = false }: { oid: string; isWithoutBlobs?: boolean },
): AsyncGenerator<Uint8Array> {
  if (!capabilities.has('side-band-64k')) throw notGit();
  const lines = [
    `want ${oid} ${usedCapabilities(capabilities, isWithoutBlobs)}\n`,
    ...(capabilities.has('shallow') ? ['deepen 1\n'] : []),
    ...(isWithoutBlobs ? ['filter blob:none\n'] : []),
  ];
  return packOf(http, lines.map(pktLine).join('') + flushLine + pktLine('done\n'));
}

/** Fetches the last commits up to this one; with `isFiltering`, for servers with the capability `filter`, without their trees and blobs. */
export function fetchHistory(
  http: GitHttp,
  capabilities: ReadonlySet<string>,
  { oid, depth, isFiltering }: { oid: string; depth: number; isFiltering: boolean },
): AsyncGenerator<Uint8Array> {
  if (!capabilities.has('side-band-64k')) throw notGit();
  const lines = [
    `want ${oid} ${usedCapabilities(capabilities, isFiltering)}\n`,
    ...(capabilities.has('shallow') ? [`deepen ${depth}\n`] : []),
    ...(isFiltering ? ['filter tree:0\n'] : []),
  ];
  return packOf(http, lines.map(pktLine).join('') + flushLine + pktLine('done\n'));
}

/**
 * Fetches blobs by their oids, in version 2 of the protocol: there a server only looks whether each of them exists.
 *
 * In the first version it also reads and hashes them before it answers, which takes longer than the whole transfer.
 * @throws as `fetchCommit`; also where the server does not know version 2
 */
export function fetchBlobs(http: GitHttp, oids: readonly string[]): AsyncGenerator<Uint8Array> {
  const request = [
    pktLine('command=fetch\n'),
    delimiterLine,
    pktLine('ofs-delta\n'),
    pktLine('no-progress\n'),
    ...oids.map((oid) => pktLine(`want ${oid}\n`)),
    pktLine('done\n'),
    flushLine,
  ];
  return packOf(http, request.join(''), { 'git-protocol': 'version=2' });
}

/** The same in the first version, for servers that know no other or do not see the header that asks for it. */
export function fetchBlobsInFirstVersion(
  http: GitHttp,
  capabilities: ReadonlySet<string>,
  oids: readonly string[],
): AsyncGenerator<Uint8Array> {
  const wants = oids.map((oid, i) => pktLine(i === 0 ? `want ${oid} ${usedCapabilities(capabilities)}\n` : `want ${oid}\n`));
  return packOf(http, wants.join('') + flushLine + pktLine('done\n'));
}

function usedCapabilities(offered: ReadonlySet<string>, isFiltering = false): string {
  // Azure DevOps insists on multi_ack_detailed, dulwich on thin-pack; without `have` lines neither changes anything.
  const wanted = ['multi_ack_detailed', 'side-band-64k', 'thin-pack', 'ofs-delta', 'no-progress', ...(isFiltering ? ['filter'] : [])];
  return [...wanted.filter((name) => offered.has(name)), 'agent=git/bindery'].join(' ');
}

/** The bytes of the pack in an answer, taken out of their packets. */
async function* packOf(http: GitHttp, request: string, headers?: Record<string, string>): AsyncGenerator<Uint8Array> {
  const window = new ByteWindow(await http.uploadPack(request, headers));
  try {
    await skipToPack(window);
    for (;;) {
      const packet = await readPacket(window);
      if (packet === undefined || packet === 'delimiter') throw endedEarly();
      if (packet === 'flush') break;
      const band = packet[0];
      if (band === 1) yield packet.subarray(1);
      else if (band === 3) throw refusedByServer();
      else if (band !== 2) throw notGit();
    }
    // Read to its end, a connection can be used for the next request.
    if (await window.fill(1)) throw notGit();
  } finally {
    await window.close();
  }
}

/** Reads over `shallow` lines up to the line before the pack: nothing in common (NAK), or the name of its section in version 2. */
async function skipToPack(window: ByteWindow): Promise<void> {
  for (let packets = 0; ; packets++) {
    const packet = await readPacket(window);
    // A server that dislikes the request may close it without a word.
    if (packet === undefined) throw packets === 0 ? refusedByServer() : endedEarly();
    if (typeof packet === 'string') continue;
    const word = packet.toString('latin1', 0, 8);
    if (word === 'NAK\n' || word === 'NAK' || word === 'packfile') return;
    if (word.startsWith('ERR ')) throw refusedByServer();
    if (!word.startsWith('shallow') && !word.startsWith('unshallo')) throw notGit();
  }
}
