import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeMetrics } from '../../packages/metrics/src/index.ts';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { provideDebianPrograms } from '../support/debianPrograms.ts';
import { newSubject } from '../support/git/exportSubjects.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';

// A real Prometheus scrapes real processes, and runs the queries of the dashboard and the alerts.

const deploy = resolve(import.meta.dirname, '../../deploy');
const missing = await provideDebianPrograms({ prometheus: ['prometheus'], promtool: ['prometheus'] });
if (missing) console.log(`skipped: metrics with Prometheus, because ${missing}`);

type Panel = { title: string; targets?: { expr: string }[] };
const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana/bindery.json'), 'utf8')) as {
  panels: Panel[];
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr.replaceAll('$__rate_interval', '1m')]),
);

/** Panels about things that this test does not cause. */
const quiet = [
  'Failed runs by error',
  'Repairs of the sweeper',
  'MongoDB commands that failed',
  'Writes that Redis refused',
  'Requests to outside by outcome',
  'Calls of translation engines by outcome',
  'Calls of translation engines, 95th percentile',
  'Unreferenced content that was removed',
  'Pages of sites that were rendered',
  'Age of the oldest waiting job',
  'Jobs that have not ended',
  'Limits of operators, and jobs that they keep back',
];

it('the dashboard and the alerts name only existing metrics, and the dashboard shows all of them', () => {
  const known = new Set(describeMetrics().map(({ name }) => name));
  const texts = ['grafana/bindery.json', 'prometheus/alerts.yml'].map((file) =>
    readFileSync(join(deploy, file), 'utf8'),
  );
  const named = [...texts.join('\n').matchAll(/\bbindery_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  // And the dashboard forgets none.
  expect([...known].filter((name) => !texts[0]!.includes(name))).toEqual([]);
});

describe.skipIf(missing !== undefined)('metrics of all processes', () => {
  let lab: FaultLab;
  let api: AppProcess;
  let prometheus: { url: string; stop(): Promise<void> };
  let ports: Record<string, number>;

  beforeAll(async () => {
    lab = await startFaultLab();
    const names = ['api', 'worker-git', 'worker-maintenance'] as const;
    ports = {};
    for (const name of names) ports[name] = await freePort(undefined, '127.0.0.1');
    const environmentOf = (name: string) => ({
      BINDERY_METRICS_PORT: String(ports[name]),
      BINDERY_OUTBOUND_ALLOW: lab.gitServer.hostPort,
    });
    [api] = (await Promise.all(
      names.map((name) => lab.start(name, { environment: environmentOf(name) })),
    )) as [AppProcess];
    prometheus = await startPrometheus(Object.values(ports));
  });
  afterAll(async () => {
    await prometheus.stop();
    await lab.close();
  });

  const query = async (
    expr: string,
  ): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
    const response = await fetch(`${prometheus.url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body = (await response.json()) as { status: string; error?: string; data: { result: never[] } };
    expect([expr, body.status, body.error]).toEqual([expr, 'success', undefined]);
    return body.data.result;
  };

  it('have data for the panels of the dashboard', async () => {
    const { space, repository } = await newSubject(lab, { isByWorker: true });
    const response = await lab.call(api, 'POST', `/spaces/${space._id}/git/import`, {
      url: repository.url,
      ref: 'refs/heads/main',
    });
    await lab.waitFor(response.headers.get('x-job-id') ?? '', 'failed');
    await until('two scrapes of each process after the job', async () => {
      const [scraped] = await query('min(count_over_time(up[1m]))');
      const [runs] = await query('sum(bindery_job_run_seconds_count{kind="git-import"})');
      return Number(scraped?.value[1]) > 2 && Number(runs?.value[1]) >= 2;
    });
    const empty: string[] = [];
    for (const [title, expr] of panels) if ((await query(expr)).length === 0) empty.push(title);
    expect(empty.filter((title) => !quiet.includes(title))).toEqual([]);
  });

  it('count runs and failures of jobs, requests, workers and Redis commands', async () => {
    const labelsOf = async (name: string, ...labels: string[]) =>
      (await query(`count by (${labels.join()}) (${name})`)).map(({ metric }) =>
        labels.map((label) => metric[label]).join(' '),
      );
    expect(await labelsOf('bindery_job_run_seconds_count', 'app', 'kind', 'outcome')).toEqual(
      expect.arrayContaining(['worker-git git-import succeeded', 'worker-git git-import failed']),
    );
    expect(await labelsOf('bindery_job_failures_total', 'kind', 'code', 'retried')).toContain(
      'git-import auth false',
    );
    expect(await labelsOf('bindery_child_ends_total', 'app', 'kind', 'outcome')).toEqual(
      expect.arrayContaining(['worker-git repository ok', 'worker-git repository failed']),
    );
    expect(
      await labelsOf('bindery_http_request_duration_seconds_count', 'method', 'route', 'status'),
    ).toContain('POST /spaces/:spaceId/git/import 204');
    expect((await labelsOf('bindery_workers', 'app')).sort()).toEqual(['worker-git', 'worker-maintenance']);
    expect(await labelsOf('bindery_redis_command_duration_seconds_count', 'app')).toEqual(
      expect.arrayContaining(['api', 'worker-git', 'worker-maintenance']),
    );
  });

  it('contain no secret, id or address of an installation', async () => {
    const texts = await Promise.all(
      Object.values(ports).map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    const values = texts.flatMap((text) => [...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value));
    expect(values.filter((value) => /c4n4ry|127\.0\.0\.1|:\/\/|^[A-Za-z0-9]{20}$/.test(value!))).toEqual([]);
    const other = await fetch(`http://127.0.0.1:${ports['api']}/other`);
    expect([
      other.status,
      (await fetch(`http://127.0.0.1:${ports['api']}/metrics`, { method: 'POST' })).status,
    ]).toEqual([404, 405]);
  });

  it('pass the tests of the alert rules', async () => {
    const run = promisify(execFile);
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: join(deploy, 'prometheus'),
    });
    expect(stdout).toContain('SUCCESS');
    await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: join(deploy, 'prometheus') });
  });
});

async function startPrometheus(ports: readonly number[]): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-prometheus-'));
  const targets = ports.map((port) => `'127.0.0.1:${port}'`).join(', ');
  await writeFile(
    join(folder, 'prometheus.yml'),
    [
      'global: { scrape_interval: 1s, evaluation_interval: 1s }',
      `rule_files: ['${join(deploy, 'prometheus/alerts.yml')}']`,
      'scrape_configs:',
      '  - job_name: bindery',
      `    static_configs: [{ targets: [${targets}] }]`,
      '',
    ].join('\n'),
  );
  const port = await freePort(undefined, '127.0.0.1');
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', async () => {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined);
    return response?.ok;
  });
  return {
    url,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
