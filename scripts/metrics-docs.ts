import { writeFileSync } from 'node:fs';
import { describeMetrics } from '@bindery/metrics';

const file = 'docs/metrics.md';

/** Renders docs/metrics.md from the metrics that the processes declare, so that the two cannot differ. */
export function metricsDocs(): string {
  const rows = describeMetrics().map(({ name, type, help, labels }) => {
    const listed = labels.map((label) => `\`${label}\``).join(', ') || '-';
    return `| \`${name}\` | ${type} | ${listed} | ${help} |`;
  });
  return [preface, '| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, '', notes].join(
    '\n',
  );
}

const preface = `# Metrics

Written by \`npm run metrics-docs\` from packages/metrics/src/metrics.ts; change the metrics, not this page.

Each process serves its metrics for Prometheus at \`GET /metrics\` on \`BINDERY_METRICS_PORT\`, a port of its own.
Without that variable nothing is measured.

- **docker-compose.yml** sets it to 9464 for all processes. The port is open in the network \`stores\` only.
  \`deploy/prometheus/prometheus.yml\` scrapes all replicas from a Prometheus in that network.
- **\`npm start\`** gives the first process this port, and each further one the next:
  \`BINDERY_METRICS_PORT=9464 npm start\` serves the API at 9464 and the workers from 9465 on, in the order in which
  the start names them.

The endpoint needs no token and shows no content, no address and no id, but how busy the installation is: keep the
port from strangers.

## Dashboard and alerts

\`deploy/grafana/bindery.json\` is a dashboard for Grafana (Dashboards > New > Import).
\`deploy/prometheus/alerts.yml\` has rules for the alerts that need a person: a process that does not answer, a
queue without a worker, jobs that wait or fail, lost runs, an API that fails or is blocked, a slow MongoDB, a
Redis that refuses writes, an engine that fails. \`alerts.test.yml\` tests them with \`promtool test rules\`.

To scale workers by their backlog, take this query for each queue (KEDA: a trigger of the type \`prometheus\`):

\`\`\`text
sum(max by (kind, state) (bindery_jobs_unfinished{queue="git", state=~"queued|running"}))
\`\`\`

divided by the number of jobs that one worker runs at once (\`BINDERY_WORKER_CONCURRENCY\`).

## All metrics

\`bindery_jobs_*\` and \`bindery_worker*\` count the whole installation. Each maintenance worker shows them, so
queries take the maximum over the processes. All other metrics are those of one process, whose label \`app\` names
it. The metrics of Node (\`nodejs_*\`, \`process_*\`) are those of [prom-client](https://github.com/siimon/prom-client).
`;

const notes = `Children of a worker, which read repositories and specifications, are not measured one by one: their
failures are runs of jobs that fail.
`;

if (import.meta.main) {
  writeFileSync(file, metricsDocs());
  console.log(`${file} written`);
}
