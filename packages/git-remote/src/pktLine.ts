import { JobError } from '@bindery/contract/jobErrors';

import type { ByteWindow } from './byteWindow.ts';

/**
 * `flush` ends a part of a message, `delimiter` separates arguments in version 2; any other packet is its
 * payload.
 */
export type Packet = Buffer | 'flush' | 'delimiter';

export const flushLine = '0000';
export const delimiterLine = '0001';

/** Formats one packet of git's wire format: the total length in four hexadecimal digits, then the payload. */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

/**
 * Reads one packet; undefined when the stream ends between two packets. The payload is valid until the next
 * read.
 *
 * @throws JobError bad_content when the stream ends inside a packet or is not in this format
 */
export async function readPacket(window: ByteWindow): Promise<Packet | undefined> {
  if (!(await window.fill(4))) {
    if (window.length === 0) return undefined;
    throw endedEarly();
  }
  const digits = window.take(4).toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw notGit();
  const length = Number.parseInt(digits, 16);
  if (length === 0) return 'flush';
  if (length === 1) return 'delimiter';
  if (length < 4) throw notGit();
  if (!(await window.fill(length - 4))) throw endedEarly();
  return window.take(length - 4);
}

/** Returns a packet's payload as a line; a final LF is optional. */
export function packetText(packet: Buffer): string {
  return packet.toString('utf8').replace(/\n$/, '');
}

/** A cut connection is retried, although the bytes themselves look like bad content. */
export function endedEarly(): JobError {
  return new JobError('bad_content', "The git server's answer ended before it was complete.", {
    class: 'transient',
    action: 'Try again later; if the error persists, check the limits of the git server and its proxies.',
  });
}

export function notGit(): JobError {
  return new JobError('bad_content', 'The answer is not that of a git server.', {
    action: 'Check `url`: it must be the HTTPS clone URL of the repository, not the address of a web page.',
  });
}

/**
 * The server refused in git's own words, which are not repeated here, because they are a remote server's
 * text.
 */
export function refusedByServer(): JobError {
  return new JobError('http_status', 'The git server refused the request.', {
    action:
      'Try again; the branch may have moved meanwhile. Otherwise check that the credentials may read the repository.',
  });
}
