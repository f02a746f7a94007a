import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../support/traceReceiver.ts';
import { until } from '../support/until.ts';

// Real processes send their traces to a receiver.

let lab: FaultLab;
let api: AppProcess;
let worker: AppProcess;
let receiver: TraceReceiver;

beforeAll(async () => {
  [lab, receiver] = await Promise.all([startFaultLab(), startTraceReceiver()]);
  const environment = {
    BINDERY_OUTBOUND_ALLOW: lab.gitServer.hostPort,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=of%20the%20receiver',
  };
  [api, worker] = (await Promise.all(
    ['api', 'worker-git'].map((name) => lab.start(name as 'api', { environment })),
  )) as [AppProcess, AppProcess];
});
afterAll(async () => {
  await lab.close();
  receiver.close();
});

const trace = 'a'.repeat(31);
const named = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);

async function importOf(url: string, traceId: string, state: 'succeeded' | 'failed'): Promise<string> {
  const space = await lab.newSpace();
  const response = await lab.call(
    api,
    'POST',
    `/spaces/${space._id}/git/import`,
    { url: url.replace('//', `//somebody:${canary}@`), ref: 'refs/heads/main' },
    { traceparent: `00-${traceId}-${'b'.repeat(16)}-00` },
  );
  expect(response.status).toBe(204);
  const id = response.headers.get('x-job-id') ?? '';
  await lab.waitFor(id, state);
  await until('the span of the run', () => named(traceId).some(({ name }) => name === 'job git-import'));
  return id;
}

it('traces an import from the request through queue, worker and child', async () => {
  const repository = await lab.gitServer.createRepository('traced.git', { 'README.md': '# Home\n' });
  const job = await importOf(repository.url, `${trace}1`, 'succeeded');
  await until('the span of the request', () => named(`${trace}1`).some(({ kind }) => kind === 2));
  const spans = named(`${trace}1`);
  const only = (name: string | RegExp): ReceivedSpan => {
    const found = spans.filter((span) =>
      typeof name === 'string' ? span.name === name : name.test(span.name),
    );
    expect([name, found.length]).toEqual([name, 1]);
    return found[0]!;
  };
  const request = only('POST /spaces/:spaceId/git/import');
  const run = only('job git-import');
  const wait = only('wait git-import');
  const child = only('process read');
  expect(request).toMatchObject({
    service: 'bindery-api',
    parentSpanId: 'b'.repeat(16),
    attributes: { 'http.response.status_code': 204, 'http.route': '/spaces/:spaceId/git/import' },
    isFailed: false,
  });
  expect(run).toMatchObject({
    service: 'bindery-worker-git',
    parentSpanId: request.spanId,
    attributes: { 'messaging.message.id': job, 'bindery.job.outcome': 'succeeded', 'bindery.job.run': 1 },
    isFailed: false,
  });
  expect(wait.parentSpanId).toBe(request.spanId);
  expect(wait.endedMs).toBeLessThanOrEqual(run.startedMs + 1);
  expect(child.parentSpanId).toBe(run.spanId);
  const stages = spans.filter(({ parentSpanId, name }) => parentSpanId === run.spanId && name !== child.name);
  expect(stages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['repo_fetch', 'content_process', 'finalize']),
  );
  for (const [index, stage] of stages.entries())
    expect(stage.startedMs).toBeGreaterThanOrEqual(stages[index - 1]?.endedMs ?? run.startedMs);
  expect(receiver.headers['x-api-key']).toBe('of the receiver');
});

it('marks a failed run, and contains no secret and no error text', async () => {
  await importOf(`http://${lab.gitServer.hostPort}/missing.git`, `${trace}2`, 'failed');
  const run = named(`${trace}2`).find(({ name }) => name === 'job git-import');
  expect(run).toMatchObject({ isFailed: true, attributes: { 'error.type': 'failed' } });
  expect(receiver.text()).not.toMatch(new RegExp(`${canary}|missing`));
});

it('writes the trace, the job and the organization to the log lines of a run', async () => {
  const lines = worker.lines.filter((line) => line.includes('a run failed'));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      traceId: `${trace}2`,
      job: expect.any(String),
      organization: expect.any(String),
      kind: 'git-import',
    }),
  ]);
});

it('does not delay jobs when the receiver is down, and warns once', async () => {
  receiver.close();
  const repository = await lab.gitServer.createRepository('untraced.git', { 'README.md': '# Home\n' });
  for (const _ of [1, 2])
    await lab.waitFor((await lab.import(await lab.newSpace(), repository.url))._id, 'succeeded');
  const warnings = () => worker.lines.filter((line) => line.includes('Traces could not be sent'));
  await until('the warning', () => warnings().length > 0);
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).not.toContain(receiver.url);
});
