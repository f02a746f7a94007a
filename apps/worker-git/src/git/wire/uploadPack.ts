import {
  ByteWindow,
  delimiterLine,
  endedEarly,
  flushLine,
  type GitHttp,
  notGit,
  pktLine,
  readPacket,
  refusedByServer,
} from '@bindery/git-remote';
import { bandOne } from './bandOne.ts';

/**
 * Fetches one commit with its trees and blobs, without history.
 *
 * @param options.isWithoutBlobs  omits the blobs; for servers with the capability `filter`
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

/** The objects that a fetch of commits omits: the files, or the trees as well. */
export type HistoryFilter = 'blob:none' | 'tree:0';

/**
 * Fetches the last commits up to this one, up to `depth` of them on each line of parents.
 *
 * @param options.filter  for servers with the capability `filter`; without it all content is sent
 */
export function fetchHistory(
  http: GitHttp,
  capabilities: ReadonlySet<string>,
  { oid, depth, filter }: { oid: string; depth: number; filter?: HistoryFilter | undefined },
): AsyncGenerator<Uint8Array> {
  if (!capabilities.has('side-band-64k')) throw notGit();
  const lines = [
    `want ${oid} ${usedCapabilities(capabilities, filter !== undefined)}\n`,
    ...(capabilities.has('shallow') ? [`deepen ${depth}\n`] : []),
    ...(filter ? [`filter ${filter}\n`] : []),
  ];
  return packOf(http, lines.map(pktLine).join('') + flushLine + pktLine('done\n'));
}

/**
 * Fetches blobs by their oids, in version 2 of the protocol, where a server only checks that each exists. In
 * the first version it also reads and hashes them before it answers, which takes longer than the whole
 * transfer.
 *
 * @throws as `fetchCommit`; also when the server does not support version 2
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

/**
 * The same in the first version, for servers that support no other or do not receive the header that asks for
 * it.
 */
export function fetchBlobsInFirstVersion(
  http: GitHttp,
  capabilities: ReadonlySet<string>,
  oids: readonly string[],
): AsyncGenerator<Uint8Array> {
  const wants = oids.map((oid, i) =>
    pktLine(i === 0 ? `want ${oid} ${usedCapabilities(capabilities)}\n` : `want ${oid}\n`),
  );
  return packOf(http, wants.join('') + flushLine + pktLine('done\n'));
}

function usedCapabilities(offered: ReadonlySet<string>, isFiltering = false): string {
  // Azure DevOps requires multi_ack_detailed, dulwich thin-pack; without `have` lines neither has an effect.
  const wanted = [
    'multi_ack_detailed',
    'side-band-64k',
    'thin-pack',
    'ofs-delta',
    'no-progress',
    ...(isFiltering ? ['filter'] : []),
  ];
  return [...wanted.filter((name) => offered.has(name)), 'agent=git/bindery'].join(' ');
}

/** Extracts the bytes of the pack from the packets of an answer. */
async function* packOf(
  http: GitHttp,
  request: string,
  headers?: Record<string, string>,
): AsyncGenerator<Uint8Array> {
  const window = new ByteWindow(await http.uploadPack(request, headers));
  try {
    await skipToPack(window);
    yield* bandOne(window);
  } finally {
    await window.close();
  }
}

/**
 * Skips `shallow` lines up to the line before the pack: NAK (nothing in common), or the name of its section
 * in version 2.
 */
async function skipToPack(window: ByteWindow): Promise<void> {
  for (let packets = 0; ; packets++) {
    const packet = await readPacket(window);
    // A server may refuse the request by closing it without a message.
    if (packet === undefined) throw packets === 0 ? refusedByServer() : endedEarly();
    if (typeof packet === 'string') continue;
    const word = packet.toString('latin1', 0, 8);
    if (word === 'NAK\n' || word === 'NAK' || word === 'packfile') return;
    if (word.startsWith('ERR ')) throw refusedByServer();
    if (!word.startsWith('shallow') && !word.startsWith('unshallo')) throw notGit();
  }
}
