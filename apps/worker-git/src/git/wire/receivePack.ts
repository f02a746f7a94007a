import { createReadStream } from 'node:fs';

import { JobError } from '@bindery/contract/jobErrors';
import { findRefIfAny, flushLine, type GitHttp, pktLine } from '@bindery/git-remote';

import { notFastForward, pushDeclined, pushFailed, unclearPush } from './pushErrors.ts';
import { type PushOutcome, readPushReport } from './pushReport.ts';

const noObject = '0'.repeat(40);

export type Push = {
  ref: string;
  /** The expected commit of the branch; absent when the branch must not exist. */
  from?: string;
  to: string;
  pack: { path: string; sizeBytes: number };
  /** The server's capabilities for pushes. */
  capabilities: ReadonlySet<string>;
};

/**
 * Moves a branch to a commit, and sends the new objects. The server compares the branch's present commit, so
 * nothing is ever overwritten.
 *
 * @throws JobError not_fast_forward when the branch is at another commit, push_declined when a rule refuses
 *   it, auth; errors of the class transient also when the push may have happened
 */
export async function push(http: GitHttp, { ref, from, to, pack, capabilities }: Push): Promise<void> {
  const wanted = ['report-status', 'side-band-64k', 'quiet', 'object-format=sha1'].filter((name) =>
    capabilities.has(name),
  );
  const hasReport = wanted.includes('report-status');
  const request = Buffer.from(
    pktLine(`${from ?? noObject} ${to} ${ref}\0 ${[...wanted, 'agent=git/bindery'].join(' ')}`) + flushLine,
  );
  const outcome = await sendPack(http, { request, pack, ref, hasBands: wanted.includes('side-band-64k') });
  if (outcome === 'done' && tellsTheTruth(capabilities)) return;
  if (outcome === 'moved') throw notFastForward('Somebody else wrote to the branch at the same time.');
  if (outcome === 'declined') throw pushDeclined();
  if (outcome === 'failed') throw pushFailed();
  if (outcome === 'unreported' && hasReport) throw unclearPush();
  const { oid } = await findRefIfAny(http, ref);
  if (oid === to) return;
  throw oid === from ? pushFailed() : unclearPush();
}

/**
 * Other servers may report `ok` although the branch has moved: dulwich does, and leaves the branch unchanged.
 */
function tellsTheTruth(capabilities: ReadonlySet<string>): boolean {
  return [...capabilities].some((capability) => /^agent=(git|jgit)\//i.test(capability));
}

type SentPack = { request: Buffer; pack: Push['pack']; ref: string; hasBands: boolean };

async function sendPack(http: GitHttp, { request, pack, ref, hasBands }: SentPack): Promise<PushOutcome> {
  async function* open() {
    yield request;
    yield* createReadStream(pack.path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
  }
  try {
    const answer = await http.receivePack({ sizeBytes: request.length + pack.sizeBytes, open });
    return await readPushReport(answer, { ref, hasBands });
  } catch (error) {
    // An unreadable answer does not tell what the server did.
    throw error instanceof JobError && (error.code === 'bad_content' || error.code === 'too_large')
      ? unclearPush(error)
      : error;
  }
}
