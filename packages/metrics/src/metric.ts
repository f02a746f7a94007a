import type * as PromClient from 'prom-client';

/**
 * Metrics as values. Until the process serves them (`serveMetrics`), recording costs a comparison, and the
 * library is not loaded.
 */

type Labels<L extends string> = Record<L, string>;

type Description<L extends string> = {
  /** As Prometheus names metrics: with the unit, and `_total` for a counter. */
  name: string;
  help: string;
  labels: readonly L[];
};

export type Counter<L extends string = string> = {
  add(labels: Labels<L>, count?: number): void;
};

export type Histogram<L extends string = string> = {
  observe(labels: Labels<L>, value: number): void;
};

/** A value that is read when the metrics are, from a store that all processes share. */
export type Gauge<L extends string = string> = {
  name: string;
  help: string;
  labels: readonly L[];
};

export type MetricDescription = {
  name: string;
  type: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly string[];
};

type Declared = MetricDescription & {
  create?(client: typeof PromClient, registry: PromClient.Registry): void;
};

/** All metrics of this process, in the order of declaration. */
const declared: Declared[] = [];

/** Declares a number that only grows. */
export function counter<const L extends string>({ name, help, labels }: Description<L>): Counter<L> {
  let real: PromClient.Counter<L> | undefined;
  declared.push({
    ...{ name, type: 'counter', help, labels },
    create: (client, registry) => {
      real = new client.Counter<L>({ name, help, labelNames: [...labels], registers: [registry] });
    },
  });
  return { add: (values, count = 1) => real?.inc(values, count) };
}

/** Declares a distribution. @param buckets  upper bounds, in ascending order */
export function histogram<const L extends string>({
  name,
  help,
  labels,
  buckets,
}: Description<L> & { buckets: readonly number[] }): Histogram<L> {
  let real: PromClient.Histogram<L> | undefined;
  declared.push({
    ...{ name, type: 'histogram', help, labels },
    create: (client, registry) => {
      const names = [...labels];
      real = new client.Histogram<L>({
        name,
        help,
        labelNames: names,
        buckets: [...buckets],
        registers: [registry],
      });
    },
  });
  return { observe: (values, value) => real?.observe(values, value) };
}

/** Declares a number that grows and shrinks with what this process has, also before it serves metrics. */
export function level<const L extends string>({ name, help, labels }: Description<L>): Counter<L> {
  const values = new Map<string, { of: Labels<L>; value: number }>();
  declared.push({
    ...{ name, type: 'gauge', help, labels },
    create: (client, registry) => {
      const real: PromClient.Gauge<L> = new client.Gauge<L>({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        collect: () => {
          for (const { of, value } of values.values()) real.set(of, value);
        },
      });
    },
  });
  return {
    add: (of, count = 1) => {
      const key = labels.map((label) => of[label]).join(' ');
      values.set(key, { of, value: (values.get(key)?.value ?? 0) + count });
    },
  };
}

/** Describes a value that `readGauges` returns. */
export function gauge<const L extends string>(description: Description<L>): Gauge<L> {
  declared.push({ ...description, type: 'gauge' });
  return description;
}

/** Creates the declared metrics in a registry. Later calls replace it, for tests. */
export function createMetrics(client: typeof PromClient, registry: PromClient.Registry): void {
  for (const metric of declared) metric.create?.(client, registry);
}

/** All metrics, in the order of declaration. */
export function describeMetrics(): MetricDescription[] {
  return declared.map(({ name, type, help, labels }) => ({ name, type, help, labels }));
}
