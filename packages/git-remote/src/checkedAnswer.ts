import { JobError } from '@bindery/contract/jobErrors';

import { ByteWindow } from './byteWindow.ts';
import type { GitService } from './gitHttp.ts';
import { maxAdvertisementBytes } from './limits.ts';
import {
  endedEarly,
  flushLine,
  notGit,
  packetText,
  pktLine,
  readPacket,
  refusedByServer,
} from './pktLine.ts';

/** Decides by its name whether a ref of an answer is passed on; `stop` ends the reading before this ref. */
export type RefChoice = (name: string) => 'keep' | 'skip' | 'stop';

/**
 * An answer that git could have sent: complete packets up to its end, no errors, no bytes behind it. `bytes`
 * contains the capabilities and the chosen refs, unchanged, and is therefore small whatever the server sent.
 */
export type CheckedAnswer = {
  version: 1 | 2;
  bytes: Buffer;
  /** False when the answer exceeded 5 MB, or `stop` ended it. */
  isComplete: boolean;
};

/**
 * Reads the advertisement of a service, in any version of the protocol.
 *
 * @throws JobError bad_content when it is not one, http_status when git refuses, network errors
 */
export async function checkAdvertisement(
  body: AsyncIterable<Uint8Array>,
  { service, choose }: { service: GitService; choose: RefChoice },
): Promise<CheckedAnswer> {
  const kept: Buffer[] = [Buffer.from(pktLine(`# service=${service}\n`) + flushLine)];
  let version = 1 as 1 | 2;
  let hasCapabilities = false;
  const isComplete = await eachLine(body, (line, packet) => {
    if (version === 2 || (line === 'version 2' && !hasCapabilities)) {
      version = 2;
      kept.push(framed(packet));
      return;
    }
    // Version 1 announces itself first, even unrequested; a shallow repository tells where its history ends.
    if (line === 'version 1' || line.startsWith('shallow ')) return;
    const isFirst = !hasCapabilities;
    const end = line.indexOf('\0');
    if (isFirst !== end >= 0) throw notGit();
    const space = line.indexOf(' ');
    if (space < 40) throw notGit();
    hasCapabilities = true;
    const choice = choose(line.slice(space + 1, isFirst ? end : undefined));
    if (choice === 'stop' && !isFirst) return 'stop';
    if (choice === 'keep' || isFirst) kept.push(framed(packet));
    return;
  });
  if (version === 2 && !isComplete) throw notGit();
  return { version, bytes: Buffer.concat([...kept, Buffer.from(flushLine)]), isComplete };
}

/** Reads the answer to `ls-refs` of version 2: `<oid> <name>` lines, with attributes behind the name. */
export async function checkRefList(
  body: AsyncIterable<Uint8Array>,
  choose: RefChoice,
): Promise<CheckedAnswer> {
  const kept: Buffer[] = [];
  const isComplete = await eachLine(body, (line, packet) => {
    const choice = choose(line.split(' ', 2)[1] ?? '');
    if (choice === 'stop') return 'stop';
    if (choice === 'keep') kept.push(framed(packet));
    return;
  });
  return { version: 2, bytes: Buffer.concat([...kept, Buffer.from(flushLine)]), isComplete };
}

/** Copies a packet, which is valid only until the next one is read, with its length in front. */
function framed(packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from((packet.length + 4).toString(16).padStart(4, '0')), packet]);
}

/**
 * Passes on the lines of an answer, without the service's name.
 *
 * @returns false when they exceed 5 MB, or `onLine` stopped
 */
async function eachLine(
  body: AsyncIterable<Uint8Array>,
  onLine: (line: string, packet: Buffer) => 'stop' | undefined,
): Promise<boolean> {
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
      if (!isNameOfService && onLine(line, packet) === 'stop') return false;
    }
    // Reading to the end lets the connection be reused.
    if (await window.fill(1)) throw notGit();
    return true;
  } finally {
    await window.close();
  }
}

export function tooManyRefs(): JobError {
  return new JobError(
    'limit',
    'The repository has too many branches, tags and pull requests to look through.',
    {
      action:
        'Delete refs that are not needed, or host the repository on a server that speaks version 2 of the git protocol.',
    },
  );
}
