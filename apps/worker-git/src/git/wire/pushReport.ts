import { ByteWindow, endedEarly, notGit, packetText, readPacket, refusedByServer } from '@bindery/git-remote';
import { bandOne } from './bandOne.ts';

/** The result of a push, in our words: the server's own are parsed, never repeated. */
export type PushOutcome = 'done' | 'moved' | 'declined' | 'failed' | 'unreported';

/**
 * Reads the answer to a push: `unpack ok`, then `ok <ref>` or `ng <ref> <reason>`.
 *
 * @param answer.hasBands  whether the report is in band 1, among progress and errors
 * @returns unreported when the server sent no report
 * @throws JobError when the answer is cut or malformed
 */
export async function readPushReport(
  answer: AsyncIterable<Uint8Array>,
  { ref, hasBands }: { ref: string; hasBands: boolean },
): Promise<PushOutcome> {
  const outer = new ByteWindow(answer);
  const window = hasBands ? new ByteWindow(reportIn(outer)) : outer;
  try {
    return await readLines(window, ref);
  } finally {
    await window.close();
    await outer.close();
  }
}

async function readLines(window: ByteWindow, ref: string): Promise<PushOutcome> {
  let isUnpacked = false;
  let outcome: PushOutcome | undefined;
  for (let lines = 0; lines < maxLines; lines++) {
    const packet = await readPacket(window);
    if (packet === undefined && lines === 0) return 'unreported';
    if (packet === undefined) throw endedEarly();
    if (packet === 'flush') {
      if (await window.fill(1)) throw notGit();
      if (!outcome) throw notGit();
      return outcome;
    }
    if (packet === 'delimiter') throw notGit();
    const line = packetText(packet);
    if (line.startsWith('ERR ')) throw refusedByServer();
    if (line.startsWith('unpack ')) isUnpacked = line === 'unpack ok';
    else if (line === `ok ${ref}` && isUnpacked) outcome = 'done';
    else if (line.startsWith(`ng ${ref} `)) outcome = reasonOf(line.slice(`ng ${ref} `.length), isUnpacked);
  }
  throw notGit();
}

const maxLines = 1000;

/** Yields the report of an answer with bands; nothing of an empty answer. */
async function* reportIn(window: ByteWindow): AsyncGenerator<Uint8Array> {
  if (await window.fill(1)) yield* bandOne(window);
}

/**
 * Recognizes the words of git, JGit, dulwich and the hosts. Any other refusal is a rule of the repository.
 */
function reasonOf(reason: string, isUnpacked: boolean): PushOutcome {
  if (moved.test(reason)) return 'moved';
  if (!isUnpacked || broken.test(reason)) return 'failed';
  return 'declined';
}

const moved =
  /non-fast-forward|fetch first|stale info|already exists|(failed|unable|cannot|can't|could not) (to )?(lock|update ref)|lock error|incorrect old value|invalid old id|reference does not exist|is at [0-9a-f]{40} but expected|remote ref updated|needs? (to be )?(pull|rebase)/i;

const broken =
  /unpack|failed to write|internal|time(d )?out|unavailable|try again|missing (necessary )?object|no space|transaction|quarantine|bad pack|corrupt/i;
