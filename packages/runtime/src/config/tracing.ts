import { z } from 'zod';

const share = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number from 0 to 1')
  .transform(Number)
  .default(1);

/** `name=value` pairs, percent-encoded, as OpenTelemetry defines them. */
const headers = z
  .string()
  .default('')
  .transform((text, context): Record<string, string> => {
    try {
      const pairs = text.split(',').filter((pair) => pair.trim() !== '');
      return Object.fromEntries(
        pairs.map((pair) => {
          const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? [];
          return [nameOr(name), decodeURIComponent(value.trim())];
        }),
      );
    } catch {
      context.addIssue('must be pairs such as authorization=Bearer%20abc, separated by commas');
      return z.NEVER;
    }
  });

function nameOr(name: string): string {
  if (name === '') throw new Error('A pair has no name.');
  return name;
}

/** The names that OpenTelemetry gives them, as operators know them. */
export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Base URL of an OpenTelemetry receiver (OTLP over HTTP) that gets the traces of requests and jobs, such as `http://collector:4318`. Default: none, no traces.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headers.describe(
    'Headers of requests to it, such as its API key: `name=value` pairs, percent-encoded, separated by commas.',
  ),
  OTEL_TRACES_SAMPLER_ARG: share.describe('Share of traces that are sent, from 0 to 1.'),
  BINDERY_TRACE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.includes('{traceId}'), 'must contain {traceId}')
    .optional()
    .describe(
      'URL of a trace in your viewer, with `{traceId}` in it, such as `https://jaeger.example.com/trace/{traceId}`: the page of a job in the operator area links to it.',
    ),
};
