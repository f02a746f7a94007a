import { JobError } from '@bindery/contract/jobErrors';
import { outboundLimits, type Outbound } from '@bindery/outbound';

/** A translation service that the operator has configured. */
export type ServiceSettings = {
  /** May reach the service. The engine closes it. */
  outbound: Outbound;
  /** To which paths are added: `https://api.example/v1`. */
  url: string;
  key?: string | undefined;
};

export type ServiceRequest = {
  /** Below the service's URL: `/translate`. */
  path: string;
  /** Makes it a POST request. */
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  signal: AbortSignal;
};

export type ServiceAnswer = { status: number; headers: Record<string, string>; text: string };

/** Sends a request, and reads its answer of any status. */
export type AskService = (request: ServiceRequest) => Promise<ServiceAnswer>;

const MiB = 1024 * 1024;

/** A language model may think for two minutes before it sends the first byte. */
const limits = {
  ...outboundLimits.content,
  headersMs: 120_000,
  idleMs: 60_000,
  totalMs: 180_000,
  maxBytes: 4 * MiB,
  maxDecodedBytes: 4 * MiB,
};

/**
 * Makes the client of a service. It follows no redirects, because the key would go along.
 *
 * @param name  names the service in errors: `DeepL`
 * @returns a function that throws the JobErrors of `Outbound`, or the reason of the signal
 */
export function openService({ outbound, url }: ServiceSettings, name: string): AskService {
  return async ({ path, json, form, headers, signal }) => {
    const body = bodyOf({ json, form });
    try {
      const response = await outbound.request({
        url: outbound.checkUrl(url + path),
        ...(body && { method: 'POST', body: Buffer.from(body.text) }),
        headers: { accept: 'application/json', ...(body && { 'content-type': body.type }), ...headers },
        limits,
        redirects: 'none',
        signal,
      });
      const bytes = Buffer.concat(await Array.fromAsync(response.body));
      return { status: response.status, headers: response.headers, text: bytes.toString() };
    } catch (error) {
      throw error instanceof JobError && !signal.aborted ? named(error, name) : error;
    }
  };
}

function bodyOf({ json, form }: Pick<ServiceRequest, 'json' | 'form'>) {
  if (json !== undefined) return { type: 'application/json', text: JSON.stringify(json) };
  if (form === undefined) return undefined;
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
}

/** Users know no URL that it could mean. */
function named({ code, message, ...error }: JobError, name: string): JobError {
  return new JobError(code, `${name} cannot be asked. ${message}`, {
    class: error.class,
    action: 'Ask the operator to check that the service runs and that its URL is right.',
    retryAfterMs: error.retryAfterMs,
    cause: error.cause,
  });
}
