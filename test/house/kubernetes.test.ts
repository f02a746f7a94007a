import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { NetworkPolicy, type INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { describeMetrics } from '../../packages/metrics/src/index.ts';
import { kubernetesFiles } from '../../scripts/kubernetes.ts';

// The manifests for Kubernetes, judged by the schemas of its API and of KEDA.

const folder = resolve(import.meta.dirname, '../../deploy/kubernetes');
const read = (name: string) => readFileSync(resolve(folder, name), 'utf8');
type Manifest = { kind: string; metadata: { name: string } };
const manifestsIn = (name: string) =>
  parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest);
const all = [...manifestsIn('bindery.yaml'), ...manifestsIn('autoscaling.yaml')];

const models: Record<string, new (data: never) => { validate(): unknown }> = {
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
};

/** The names of the processes in docker-compose.yml. */
const names = [
  'api',
  'site',
  'console',
  'worker-git',
  'worker-maintenance',
  'worker-openapi',
  'worker-pdf',
  'worker-translation',
];

const workers = names.filter((name) => name.startsWith('worker-'));

function deployment(name: string) {
  const found = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  const { spec } = (found as IDeployment).spec!.template;
  return { pod: spec!, container: spec!.containers[0]! };
}

describe('the manifests for Kubernetes', () => {
  it.each(Object.entries(kubernetesFiles()))('%s is the output of npm run kubernetes', (name, text) => {
    expect(read(name)).toBe(text);
  });

  it('are valid against the schemas of the Kubernetes API', async () => {
    for (const manifest of all) {
      const Model = models[manifest.kind];
      expect([manifest.kind, Model !== undefined]).toEqual([manifest.kind, true]);
      await new Model!(manifest as never).validate();
    }
    const wrong = { ...all.find(({ kind }) => kind === 'Deployment')!, spec: { replicas: 'two' } };
    await expect(async () => new Deployment(wrong as never).validate()).rejects.toThrow('replicas');
  });

  it('have a deployment, a disruption budget and a network policy for each process', () => {
    for (const kind of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])
      expect(all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)).toEqual(names);
    const scaled = all.filter(({ kind }) => kind === 'ScaledObject').map(({ metadata }) => metadata.name);
    expect(scaled.toSorted()).toEqual(workers);
  });

  it('have the commands and the memory of docker-compose.yml', () => {
    const { services } = parse(read('../../docker-compose.yml'), { merge: true }) as {
      services: Record<string, { command: string[]; mem_limit: string }>;
    };
    for (const name of names) {
      const { container } = deployment(name);
      expect(container.command).toEqual(services[name]!.command);
      const limit = services[name]!.mem_limit.replace('m', 'Mi').replace('g', 'Gi');
      expect(container.resources?.limits).toEqual({ memory: limit });
    }
  });

  it('give no process unneeded privileges, and contain no secret in plain text', () => {
    for (const name of names) {
      const { pod, container } = deployment(name);
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const one of [...pod.initContainers!, container])
        expect(one.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      expect(pod.securityContext?.runAsNonRoot ?? false).toBe(!workers.includes(name));
      const { length } = container.securityContext?.capabilities?.add ?? [];
      expect([name, length]).toEqual([name, workers.includes(name) ? 6 : 0]);
      expect(
        container.env?.filter(({ name: variable }) =>
          /KEY|URI|URL|PASSWORD/.test(variable.replace('BINDERY_API_URL', '')),
        ),
      ).toEqual([]);
    }
  });

  it('let the process that runs Chromium reach the stores only', () => {
    const policies = all.filter(({ kind }) => kind === 'NetworkPolicy') as (INetworkPolicy & Manifest)[];
    const closed = policies.filter(({ spec }) => spec!.egress!.some(({ ports }) => ports !== undefined));
    expect(closed.map(({ metadata }) => metadata.name)).toEqual(['worker-pdf']);
    const ports = closed[0]!.spec!.egress!.flatMap((rule) => rule.ports?.map(({ port }) => port) ?? []);
    expect(new Set(ports)).toEqual(new Set([27_017, 53, 6_379]));
  });

  it('scale by existing metrics', () => {
    const known = new Set(describeMetrics().map(({ name }) => name));
    const named = [...read('autoscaling.yaml').matchAll(/\bbindery_[a-z_]+/g)].map(([name]) => name);
    expect(named).toHaveLength(workers.length);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
