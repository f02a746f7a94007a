import { readFileSync, writeFileSync } from 'node:fs';
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IService } from 'kubernetes-models/v1/Service';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { parse, stringify } from 'yaml';
import { gitWorker } from '../apps/worker-git/src/worker.ts';
import { maintenanceWorker } from '../apps/worker-maintenance/src/worker.ts';
import { openapiWorker } from '../apps/worker-openapi/src/worker.ts';
import { pdfWorker } from '../apps/worker-pdf/src/worker.ts';
import { translationWorker } from '../apps/worker-translation/src/worker.ts';

/** A service of docker-compose.yml, as far as it is read here. */
type Service = {
  image: string;
  command: string[];
  environment: Record<string, string>;
  user?: string;
  cap_add?: string[];
  networks: string[];
  security_opt: string[];
  tmpfs: string[];
  mem_limit: string;
};

const folder = 'deploy/kubernetes';
const workers = [gitWorker, maintenanceWorker, openapiWorker, pdfWorker, translationWorker];
/** Two of each that must always be there: the others' jobs wait while one pod starts. */
const replicas: Record<string, number> = { api: 2, site: 2, console: 2, 'worker-maintenance': 2 };
const mostReplicas = 10;
/**
 * The processes that answer requests: their port, the one for TLS (on with `BINDERY_SITE_TLS_PORT`), and the
 * path of their probes.
 */
const servers: Record<string, { port: number; tlsPort?: number; probes: string }> = {
  api: { port: 3000, probes: '' },
  site: { port: 3002, tlsPort: 3443, probes: '/~' },
  console: { port: 3003, probes: '' },
};
const ports = { health: 3001, metrics: 9464, mongodb: 27_017, redis: 6_379, dns: 53 } as const;
const nodeUser = 1_000;
/** Endpoints forget a pod while it still answers. */
const drainSeconds = 5;
/** As the `stop_grace_period` of docker-compose.yml, and the drain before it. */
const graceSeconds = 45 + drainSeconds;

/**
 * Makes the manifests for Kubernetes from docker-compose.yml, so that commands, memory, rights and networks
 * stand in one place.
 *
 * @returns the content of each file by its name
 */
export function kubernetesFiles(): Record<string, string> {
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    'x-environment': Record<string, string>;
    services: Record<string, Service>;
  };
  const services = Object.entries(compose.services).filter(
    ([name]) => name in servers || name.startsWith('worker-'),
  );
  const shared = new Set(Object.keys(compose['x-environment']));
  return {
    'bindery.yaml': fileOf([
      ...Object.keys(servers).map(serviceOf),
      ...services.map(([name, service]) => deploymentOf(name, service, shared)),
      ...services.map(([name]) => budgetOf(name)),
      ...services.map(([name, service]) => policyOf(name, service)),
    ]),
    'autoscaling.yaml': fileOf([...Object.keys(servers).map(serverScaler), ...workers.map(workerScaler)]),
  };
}

function labelsOf(name: string): Record<string, string> {
  return { 'app.kubernetes.io/part-of': 'bindery', 'app.kubernetes.io/name': name };
}

function serviceOf(name: string): IService {
  const { port, tlsPort } = servers[name]!;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      selector: labelsOf(name),
      ports: [
        { name: 'http', port: 80, targetPort: port },
        ...(tlsPort === undefined ? [] : [{ name: 'https', port: 443, targetPort: tlsPort }]),
      ],
    },
  };
}

function deploymentOf(name: string, service: Service, shared: ReadonlySet<string>): IDeployment {
  const server = servers[name];
  const { image, command, environment, cap_add: added = [], mem_limit: memory } = service;
  const own = Object.entries(environment).filter(([variable]) => !shared.has(variable));
  const fixed = Object.entries({ ...environment, ...inCluster(environment) }).filter(
    ([, value]) => !value.includes('${'),
  );
  const hasSecretsOfItsOwn = own.some(([, value]) => value.includes('${')) && !server;
  const runsAsRoot = service.user?.startsWith('0') ?? false;
  const rights = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  const envFrom = [
    { configMapRef: { name: 'bindery' } },
    { secretRef: { name: 'bindery' } },
    ...(hasSecretsOfItsOwn ? [{ secretRef: { name: `bindery-${name}`, optional: true } }] : []),
  ];
  const mounts = [{ name: 'tmp', mountPath: '/tmp' }];
  const [temporary = ''] = service.tmpfs;
  const mode = /mode=(\d+)/.exec(temporary)?.[1] ?? '';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas: replicas[name] ?? 1,
      selector: { matchLabels: labelsOf(name) },
      // The next one is ready before the last one ends.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: {
          labels: labelsOf(name),
          annotations: {
            'prometheus.io/scrape': 'true',
            'prometheus.io/port': `${ports.metrics}`,
          },
        },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: graceSeconds,
          // Its first process reaps the children of workers whose parent died.
          shareProcessNamespace: true,
          securityContext: runsAsRoot
            ? { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: 'RuntimeDefault' } }
            : {
                runAsUser: nodeUser,
                runAsGroup: nodeUser,
                runAsNonRoot: true,
                seccompProfile: { type: 'RuntimeDefault' },
              },
          initContainers: [
            {
              // Changes nothing if the database is up to date.
              name: 'migrate',
              image,
              command: ['node', 'apps/cli/src/main.ts', 'upgrade'],
              envFrom,
              securityContext: { ...rights, runAsUser: nodeUser, runAsGroup: nodeUser, runAsNonRoot: true },
              resources: resourcesOf('512m'),
            },
            ...(runsAsRoot
              ? [
                  {
                    // Children of the worker get folders of their own in it.
                    name: 'tmp',
                    image,
                    command: ['chmod', mode, '/tmp'],
                    volumeMounts: mounts,
                    securityContext: rights,
                    resources: resourcesOf('64m'),
                  },
                ]
              : []),
          ],
          containers: [
            {
              name,
              image,
              command,
              envFrom,
              env: [
                ...fixed.filter(([variable]) => variable !== 'HOST'),
                // The kubelet asks from outside of the pod.
                ['HOST', '0.0.0.0'] as const,
              ].map(([variable, value]) => ({ name: variable, value })),
              ports: [
                ...(server ? [{ name: 'http', containerPort: server.port }] : []),
                { name: 'metrics', containerPort: ports.metrics },
              ],
              ...probesOf(server ?? { port: ports.health, probes: '' }),
              lifecycle: { preStop: { exec: { command: ['sleep', `${drainSeconds}`] } } },
              resources: resourcesOf(memory),
              volumeMounts: mounts,
              securityContext: {
                ...rights,
                capabilities: { ...rights.capabilities, ...(added.length > 0 && { add: added }) },
                ...seccompOf(service),
              },
            },
          ],
          volumes: [
            {
              name: 'tmp',
              emptyDir: {
                medium: 'Memory',
                sizeLimit: quantityOf(/size=(\w+)/.exec(temporary)?.[1] ?? '16m'),
              },
            },
          ],
        },
      },
    },
  };
}

/** `live` restarts a process that hangs; one whose stores are away goes on when they are back. */
/** Services have the usual port here. */
function inCluster({ BINDERY_API_URL: api }: Record<string, string>): Record<string, string> {
  return api === undefined ? {} : { BINDERY_API_URL: 'http://api' };
}

function probesOf({ port, probes }: { port: number; probes: string }) {
  const lives = { path: `${probes}/healthz`, port };
  return {
    startupProbe: { httpGet: lives, periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { httpGet: lives, periodSeconds: 30, timeoutSeconds: 5 },
    readinessProbe: { httpGet: { path: `${probes}/readyz`, port }, periodSeconds: 10, timeoutSeconds: 5 },
  };
}

/** The profile of Chromium's sandbox, which the nodes must have (docs/kubernetes.md). */
function seccompOf({ security_opt: options }: Service) {
  const profile = options.find((option) => option.startsWith('seccomp:'));
  if (profile === undefined) return {};
  return {
    seccompProfile: { type: 'Localhost' as const, localhostProfile: `bindery/${profile.split('/').at(-1)}` },
  };
}

function resourcesOf(memory: string) {
  // The requests cover a process at rest; the limit covers all the jobs that it may run at once.
  return { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: quantityOf(memory) } };
}

/** Converts a size of compose, such as `5900m`, which counts in powers of 1,024. */
function quantityOf(size: string): string {
  const [, number = '', unit = ''] = /^(\d+)([mg])$/.exec(size) ?? [];
  if (number === '') throw new Error(`The size ${size} of docker-compose.yml cannot be converted.`);
  return `${number}${unit === 'g' ? 'Gi' : 'Mi'}`;
}

function budgetOf(name: string): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels: labelsOf(name) },
    spec: { maxUnavailable: 1, selector: { matchLabels: labelsOf(name) } },
  };
}

/**
 * Lets requests reach the API, the site and the console only, and metrics be read. A service without the
 * network `outside` reaches the stores only.
 */
function policyOf(name: string, { networks }: Service): INetworkPolicy {
  const readsMetrics = { ports: [{ port: ports.metrics }], from: [{ namespaceSelector: metricsNamespace }] };
  const stores = {
    ports: [
      { port: ports.mongodb },
      { port: ports.redis },
      { port: ports.dns, protocol: 'UDP' as const },
      { port: ports.dns, protocol: 'TCP' as const },
    ],
  };
  const server = servers[name];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        ...(server ? [{ ports: [server.port, server.tlsPort ?? []].flat().map((port) => ({ port })) }] : []),
        readsMetrics,
      ],
      egress: networks.includes('outside') ? [{}] : [stores],
    },
  };
}

const metricsNamespace = { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } };

function serverScaler(name: string): IHorizontalPodAutoscaler {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: replicas[name]!,
      maxReplicas: mostReplicas,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } },
        },
      ],
    },
  };
}

/** Scales a worker by its backlog: the jobs that wait in its queue or run, at most two for each pod. */
function workerScaler({ app, jobs }: (typeof workers)[number]): IScaledObject {
  const kinds = Object.values(jobs as Record<string, { kind: string }>).map(({ kind }) => kind);
  const backlog = `bindery_jobs_unfinished{kind=~"${kinds.join('|')}",state=~"queued|running"}`;
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: app, labels: labelsOf(app) },
    spec: {
      scaleTargetRef: { name: app },
      minReplicaCount: replicas[app] ?? 1,
      maxReplicaCount: mostReplicas,
      // Longer than most jobs, so that a short pause ends no pod.
      cooldownPeriod: 300,
      triggers: [
        {
          type: 'prometheus',
          metadata: {
            serverAddress: 'http://prometheus.monitoring.svc:9090',
            query: `sum(max by (kind, state) (${backlog}))`,
            threshold: app === translationWorker.app ? '1' : '2',
          },
        },
      ],
    },
  };
}

function fileOf(documents: readonly object[]): string {
  const preface =
    '# Written by `npm run kubernetes` from docker-compose.yml. Change that, or scripts/kubernetes.ts.\n';
  return (
    preface +
    documents
      .map(
        (document) =>
          `---\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, singleQuote: true })}`,
      )
      .join('')
  );
}

if (import.meta.main)
  for (const [name, text] of Object.entries(kubernetesFiles())) {
    writeFileSync(`${folder}/${name}`, text);
    console.log(`${folder}/${name} written`);
  }
