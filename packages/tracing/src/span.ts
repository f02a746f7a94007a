import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, SpanContext, Tracer } from '@opentelemetry/api';

/**
 * Spans as values. Until the process sends traces (`startTracing`), starting one costs a comparison, and the
 * library is not loaded.
 */

/** Undefined values are left out. Never a secret, a URL or text of a user: traces leave the platform. */
export type Attributes = Record<string, string | number | boolean | undefined>;

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type Span = {
  /** W3C trace context of this span, for those who continue the trace. */
  traceparent: string;
  setName(name: string): void;
  set(attributes: Attributes): void;
  /** @param outcome.error  the code or class of an error, which marks the span as failed */
  end(outcome?: { error?: string | undefined; at?: Date | undefined }): void;
};

export type SpanOptions = {
  kind?: SpanKind;
  /** W3C trace context of the span that this one is part of. Default: the active span, if any. */
  parent?: string | undefined;
  /** Default: now. */
  startedAt?: Date;
  attributes?: Attributes;
};

/** The parts of the library that spans need; set while the process sends traces. */
export type Tracing = {
  tracer: Tracer;
  root: Context;
  withParent(context: Context, parent: SpanContext): Context;
};

let tracing: Tracing | undefined;

/** Lets spans be recorded from now on, or no longer. */
export function setTracing(next: Tracing | undefined): void {
  tracing = next;
}

const active = new AsyncLocalStorage<string>();

/** Returns the trace context of the span in which the calling code runs. */
export function activeTraceparent(): string | undefined {
  return active.getStore();
}

/** Values of the library's enumerations, which are not loaded for their numbers. */
const kinds = { internal: 0, server: 1, client: 2, consumer: 4 } as const satisfies Record<SpanKind, number>;
const failed = 2;

/** Starts a span. @returns undefined while the process sends no traces */
export function startSpan(
  name: string,
  { kind = 'internal', parent = activeTraceparent(), startedAt, attributes = {} }: SpanOptions = {},
): Span | undefined {
  if (!tracing) return undefined;
  const { tracer, root, withParent } = tracing;
  const context = parent === undefined ? root : withParent(root, spanContextOf(parent));
  const span = tracer.startSpan(
    name,
    { kind: kinds[kind], attributes: given(attributes), startTime: startedAt },
    context,
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    setName: (next) => void span.updateName(next),
    set: (more) => void span.setAttributes(given(more)),
    end: ({ error, at } = {}) => {
      if (error !== undefined) span.setStatus({ code: failed }).setAttribute('error.type', error);
      span.end(at);
    },
  };
}

/**
 * Does work in a span of its own, to which spans that the work starts belong.
 *
 * @throws the error of the work; the span gets its code or name
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (!span) return work();
  try {
    const result = await active.run(span.traceparent, work);
    span.end();
    return result;
  } catch (error) {
    span.end({ error: kindOf(error) });
    throw error;
  }
}

/** Does work as part of a span that the caller ends. */
export function withinSpan<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? active.run(span.traceparent, work) : work();
}

function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function given(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Never its message, which may name a URL or an address. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
