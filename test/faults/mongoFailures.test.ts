import { Comment, mongoClient, Space, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { bound } from '../support/machine.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { until } from '../support/until.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull } from '../support/resultTable.ts';

// MongoDB lives, but fails commands: its test command `failCommand` says which and how.

let mongo: OwnMongo;
let lab: FaultLab;
let api: AppProcess;
const table = createResultTable();
const blockedMs = isFull ? 5_000 : 500;

beforeAll(async () => {
  mongo = await startOwnMongo({ parameters: ['enableTestCommands=1'] });
  lab = await startFaultLab({ MONGODB_URI: mongo.uri });
  api = await lab.start('api');
});
afterEach(() => failCommands('off'));
afterAll(async () => {
  table.print();
  await lab.close();
  await mongo.close();
});

const failures = {
  'closes the connection': { closeConnection: true },
  'answers 91 (ShutdownInProgress)': { errorCode: 91 },
  'answers 10107 (NotWritablePrimary)': { errorCode: 10_107 },
} as const;
type Failure = (typeof failures)[keyof typeof failures] | { blockConnection: true; blockTimeMS: number };

async function failCommands(
  mode: 'off' | 'alwaysOn' | { times: number },
  data?: Failure & { failCommands: readonly string[] },
): Promise<void> {
  await mongoClient()
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, ...(data && { data }) });
}

type Answer = { status: number; retryAfter: string | null; ms: number };
/** Sends the request once more, as a client does after a refusal. @returns also whether it had one effect */
type Sent = { again(): Promise<Answer>; hasOneEffect(): Promise<boolean> };
type Subject = { commands: readonly string[]; send(space: SpaceRecord): Sent };

async function measured(call: () => Promise<Response>): Promise<Answer> {
  const startedMs = performance.now();
  const response = await call();
  await response.arrayBuffer();
  const ms = performance.now() - startedMs;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ms };
}

const reads = (path: (space: SpaceRecord) => string) => (space: SpaceRecord) => ({
  again: () => measured(() => lab.call(api, 'GET', path(space))),
  hasOneEffect: async () => true,
});

/** Adds a comment in a transaction; the key lets a client repeat the request. */
function comments(space: SpaceRecord): Sent {
  const headers = { 'idempotency-key': newId() };
  const body = { body: { markdown: 'Hello.' } };
  return {
    again: () => measured(() => lab.call(api, 'POST', `/spaces/${space._id}/comments`, body, headers)),
    hasOneEffect: async () => (await Comment.countDocuments({ space: space._id })) === 1,
  };
}

function renames(space: SpaceRecord): Sent {
  const title = newId();
  return {
    again: () => measured(() => lab.call(api, 'PATCH', `/spaces/${space._id}`, { title })),
    hasOneEffect: async () => {
      const { title: stored, version } = (await Space.findById(space._id).lean<SpaceRecord>())!;
      return stored === title && version > space.version;
    },
  };
}

const subjects: Record<string, Subject> = {
  find: { commands: ['find'], send: reads(({ _id }) => `/spaces/${_id}`) },
  aggregate: { commands: ['aggregate'], send: reads(({ organization }) => `/orgs/${organization}/jobs`) },
  update: { commands: ['update', 'findAndModify'], send: renames },
  insert: { commands: ['insert'], send: comments },
  commitTransaction: { commands: ['commitTransaction'], send: comments },
};

type Case = { name: string; failure: Failure; command: string; subject: Subject };
const cases: readonly Case[] = Object.entries(failures).flatMap(([name, failure]) =>
  Object.entries(subjects).map(([command, subject]) => ({ name, failure, command, subject })),
);
/** A failing transaction is tried again for 2.5 s, so each of these takes as long. */
const lasting = cases.filter(({ failure, command }) => {
  if (isFull || !['insert', 'commitTransaction'].includes(command)) return true;
  return 'closeConnection' in failure
    ? command === 'commitTransaction'
    : 'errorCode' in failure && failure.errorCode === 91;
});
if (!isFull)
  console.log(
    `F15: ${lasting.length} of ${cases.length} lasting failures here, all with BINDERY_FAULTS=full`,
  );

describe('F15: MongoDB fails a command', () => {
  it.each(cases)('callers do not notice when it $name to one $command', async (one) => {
    const sent = one.subject.send(await lab.newSpace());
    await failCommands({ times: 1 }, { ...one.failure, failCommands: one.subject.commands });
    const answer = await sent.again();
    table.add({
      fault: `F15 MongoDB ${one.name} once: ${one.command}`,
      runs: 1,
      result: `${answer.status}`,
      measured: inMilliseconds(answer.ms),
      goal: 'tried once more',
    });
    expect(Math.floor(answer.status / 100)).toBe(2);
    expect(await sent.hasOneEffect()).toBe(true);
  });

  it.each(Object.entries(subjects))(
    `an answer to one %s after ${inSeconds(blockedMs)} only delays the request`,
    async (_command, { commands, send }) => {
      const sent = send(await lab.newSpace());
      await failCommands(
        { times: 1 },
        { blockConnection: true, blockTimeMS: blockedMs, failCommands: commands },
      );
      const answer = await sent.again();
      expect(Math.floor(answer.status / 100)).toBe(2);
      expect(answer.ms).toBeGreaterThan(blockedMs * 0.9);
      expect(answer.ms).toBeLessThan(bound(blockedMs + 3_000));
      expect(await sent.hasOneEffect()).toBe(true);
    },
  );
});

describe('F15: MongoDB fails all commands of one kind', () => {
  // It ends the transactions that failed commits leave open.
  beforeAll(() => lab.start('worker-maintenance'));

  it.each(lasting)(
    'requests get 503 when it $name to each $command, and have no effect twice',
    async (one) => {
      const sent = one.subject.send(await lab.newSpace());
      await failCommands('alwaysOn', { ...one.failure, failCommands: one.subject.commands });
      const answer = await sent.again();
      await failCommands('off');
      const endedMs = performance.now();
      // As `Retry-After` asks for; the key of the request is free once its transaction has ended.
      await until('an answer afterwards', async () => (await sent.again()).status < 300, {
        timeoutMs: 30_000,
      });
      const laterMs = performance.now() - endedMs;
      table.add({
        fault: `F15 MongoDB ${one.name} always: ${one.command}`,
        runs: 1,
        result: `${answer.status}`,
        measured: `${inSeconds(answer.ms)}, then answered after ${inMilliseconds(laterMs)}`,
        goal: '503 <= 10 s',
      });
      expect(answer).toMatchObject({ status: 503, retryAfter: '5' });
      expect(answer.ms).toBeLessThan(bound(10_000));
      expect(await sent.hasOneEffect()).toBe(true);
    },
  );
});
