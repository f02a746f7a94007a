import { setTracing } from './span.ts';

export type TracingSettings = {
  /** Base URL of an OTLP receiver over HTTP, such as `http://collector:4318`; undefined sends nothing. */
  endpoint?: string | undefined;
  /** Headers of each request to it, such as its API key. */
  headers: Readonly<Record<string, string>>;
  /** The share of traces to send, from 0 to 1, decided by the id of the trace: all processes agree. */
  ratio: number;
};

/** The part of a logger that is used here: packages/runtime has tracing itself. */
type Warns = { warn(fields: object, message: string): void };

/** Spans that wait to be sent. More are dropped: traces never hold up the work that they show. */
const waiting = { maxQueueSize: 4_096, maxExportBatchSize: 512, scheduledDelayMillis: 1_000 };
const sendMs = 5_000;
const stopMs = 2_000;
/** A receiver that is away is told of once in this time. */
const warnEveryMs = 60_000;

/**
 * Sends the spans of this process from now on.
 *
 * @param app  name of the process; its service is `bindery-<app>`
 * @returns a function that sends the rest, for at most two seconds, and stops
 */
export async function startTracing(
  { endpoint, headers, ratio }: TracingSettings,
  { app, logger }: { app: string; logger: Warns },
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => {};
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  api.diag.setLogger(rarely(logger), api.DiagLogLevel.ERROR);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `bindery-${app}`,
      'service.instance.id': `${process.pid}`,
    }),
    sampler: new sdk.TraceIdRatioBasedSampler(ratio),
    spanLimits: { attributeValueLengthLimit: 500 },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...waiting, exportTimeoutMillis: sendMs })],
  });
  setTracing({
    tracer: provider.getTracer('bindery'),
    root: api.ROOT_CONTEXT,
    withParent: (context, parent) => api.trace.setSpanContext(context, parent),
  });
  return async () => {
    setTracing(undefined);
    const patience = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref());
    await Promise.race([provider.shutdown().catch(() => {}), patience]);
    api.diag.disable();
  };
}

/** Never the library's own text, which may contain the URL of the receiver or its answer. */
function rarely(logger: Warns) {
  let warnedMs = -Infinity;
  const error = () => {
    if (performance.now() - warnedMs < warnEveryMs) return;
    warnedMs = performance.now();
    logger.warn(
      {},
      'Traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT; check that its receiver is up.',
    );
  };
  const nothing = () => {};
  return { error, warn: nothing, info: nothing, debug: nothing, verbose: nothing };
}
