import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectExportedOnce,
  expectNextExport,
  messagesOf,
  newSubject,
  stateOf,
  type ExportSubject,
} from '../support/git/exportSubjects.ts';
import { canary, rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import {
  startGitServer,
  type GitFault,
  type GitRequestKind,
  type GitServer,
} from '../support/git/gitServer.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { bound } from '../support/machine.ts';

// F24 for pushes, as whole jobs. test/git/pushFaults.test.ts tries a fault at each byte
// of an answer to one push.

/**
 * For all transfers of a try. On a busy machine 4 s are too little, and each answer would count as late; refs
 * that drip take more than 20 s.
 */
const deadlineSeconds = Math.min(12, Math.ceil(bound(4_000) / 1_000));
const cutsOf = {
  pushInfo: isFull ? [0, 3, 30, 100, 200, 400] : [30],
  push: isFull ? [0, 4, 10, 30, 45] : [10, 45],
};

let lab: FaultLab;
/** Each case has one of its own, so that all of them run at a time. */
const servers = new Map<string, GitServer>();
const table = createResultTable();

beforeAll(async () => {
  for (const { name } of [...passing, ...final])
    servers.set(name, await startGitServer({ login: { username: 'somebody', password: canary } }));
  lab = await startFaultLab({
    ...rareSweeps,
    BINDERY_OUTBOUND_ALLOW: [...servers.values()].map(({ hostPort }) => hostPort).join(),
    BINDERY_GIT_TIMEOUT_SECONDS: String(deadlineSeconds),
  });
  if (!isFull) console.log('F24: three cuts here, eleven with BINDERY_FAULTS=full');
  await Promise.all([
    lab.start('worker-maintenance'),
    lab.start('worker-git', { environment: { BINDERY_WORKER_CONCURRENCY: '8' } }),
  ]);
});
afterAll(async () => {
  try {
    await checkInvariants(lab, []);
    table.print();
  } finally {
    // Its processes would take the jobs of the next file.
    await lab.close();
    for (const server of servers.values()) await server.close();
  }
});

type Case = { name: string; kind: GitRequestKind; fault: GitFault; code: RegExp };

const unclear = /^(bad_content|connect|http_status)$/;
const cuts = (['pushInfo', 'push'] as const).flatMap((kind) =>
  cutsOf[kind].flatMap((bytes): Case[] => [
    {
      name: `answer broken off at byte ${bytes} (${kind})`,
      kind,
      fault: { cutAfterBytes: bytes },
      code: unclear,
    },
    {
      name: `answer ended at byte ${bytes} as if complete (${kind})`,
      kind,
      fault: { endAfterBytes: bytes },
      code: unclear,
    },
  ]),
);
const passing: Case[] = [
  ...cuts,
  { name: 'refs dripped', kind: 'pushInfo', fault: { dripBytes: 1 }, code: /^timeout$/ },
  { name: 'no answer for the refs', kind: 'pushInfo', fault: { delayMs: Infinity }, code: /^timeout$/ },
  { name: 'no answer, nothing pushed', kind: 'push', fault: { delayMs: Infinity }, code: /^timeout$/ },
  { name: 'pushed, then no answer', kind: 'push', fault: { statusAfterwards: Infinity }, code: /^timeout$/ },
  { name: 'pushed, then status 500', kind: 'push', fault: { statusAfterwards: 500 }, code: /^http_status$/ },
  { name: 'pushed, then status 502', kind: 'push', fault: { statusAfterwards: 502 }, code: /^http_status$/ },
  { name: 'status 503 before it', kind: 'push', fault: { status: 503 }, code: /^http_status$/ },
  {
    name: 'pushed, wrong content type',
    kind: 'push',
    fault: { headers: { 'content-type': 'text/html' } },
    code: /^bad_content$/,
  },
];
const final: Case[] = [
  {
    name: 'refs of a wrong content type',
    kind: 'pushInfo',
    fault: { headers: { 'content-type': 'text/html' } },
    code: /^bad_content$/,
  },
  { name: '401 for the refs', kind: 'pushInfo', fault: { status: 401 }, code: /^auth$/ },
  { name: '401 in the push', kind: 'push', fault: { status: 401 }, code: /^auth$/ },
  { name: 'pushed, then 401', kind: 'push', fault: { statusAfterwards: 401 }, code: /^auth$/ },
  { name: '403 in the push', kind: 'push', fault: { status: 403 }, code: /^auth$/ },
];

async function subjectOf({
  name,
  kind,
  fault,
}: Case): Promise<{ server: GitServer; subject: ExportSubject }> {
  const server = servers.get(name)!;
  // Its worker runs, and on a busy machine it would claim an import of this process first.
  const subject = await newSubject(lab, { server, isByWorker: true });
  server.faults.set(kind, fault);
  return { server, subject };
}

describe.concurrent('F24: a failing response to a push', { timeout: bound(120_000) }, () => {
  it.each(passing)('is retried and ends with one commit: $name', async (one) => {
    const { server, subject } = await subjectOf(one);
    const before = await stateOf(subject.space);
    const { _id } = await lab.export(subject.space, subject.repository.url);
    const tried = await lab.waitFor(_id, ({ attempts }) => attempts[0]?.outcome, 60_000);
    expect(tried.attempts[0]).toMatchObject({
      outcome: 'retried',
      error: { class: 'transient', code: expect.stringMatching(one.code) },
    });
    const tookMs = tried.attempts[0]!.endedAt!.getTime() - tried.attempts[0]!.startedAt.getTime();
    expect(tookMs).toBeLessThan(bound(deadlineSeconds * 1_000 + 5_000));
    expect(await stateOf(subject.space)).toEqual(before);
    server.faults.clear();
    await expectExportedOnce(subject, await lab.waitFor(_id, 'succeeded', 60_000));
    table.add({
      fault: `F24 ${one.name}`,
      runs: 1,
      result: 'tried again, one commit',
      measured: `failed after ${inSeconds(tookMs)}`,
      goal: 'no false success',
    });
  });

  it.each(final)('ends the export when a retry would not help: $name', async (one) => {
    const { server, subject } = await subjectOf(one);
    const before = await stateOf(subject.space);
    const { _id } = await lab.export(subject.space, subject.repository.url);
    const ended = await lab.waitFor(_id, ({ finishedAt }) => finishedAt, 60_000);
    expect(ended).toMatchObject({ state: 'failed', error: { code: expect.stringMatching(one.code) } });
    expect(await stateOf(subject.space)).toEqual(before);
    server.faults.clear();
    expect(await messagesOf(subject.repository)).toHaveLength(
      one.fault.statusAfterwards === undefined ? 0 : 1,
    );
    await expectNextExport(lab, subject);
    table.add({
      fault: `F24 ${one.name}`,
      runs: 1,
      result: `failed (${ended.error?.code}), the next export works`,
      measured: '-',
      goal: 'no false success',
    });
  });
});
