import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as it arrived, its attributes as an object. */
export type ReceivedSpan = {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, string | number | boolean>;
  isFailed: boolean;
  startedMs: number;
  endedMs: number;
};

export type TraceReceiver = {
  url: string;
  spans: ReceivedSpan[];
  /** The headers of the last request. */
  headers: Record<string, unknown>;
  /** All bodies as text, to look for what must not be in them. */
  text(): string;
  close(): void;
};

type Value = { stringValue?: string; intValue?: string | number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        kind: number;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attribute[];
        status: { code?: number };
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      }[];
    }[];
  }[];
};

/** Receives traces as an OpenTelemetry collector does: OTLP over HTTP with JSON. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const receiver = { spans: [] as ReceivedSpan[], headers: {} as Record<string, unknown> };
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        bodies.push(JSON.stringify(body));
        receiver.headers = request.headers;
        if (request.url === '/v1/traces') receiver.spans.push(...spansIn(body as Body));
        response.setHeader('content-type', 'application/json').end('{}');
      },
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

function spansIn({ resourceSpans }: Body): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(objectOf(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        service,
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        attributes: objectOf(span.attributes),
        isFailed: span.status.code === 2,
        startedMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endedMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
      }));
  });
}

function objectOf(attributes: Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );
}
