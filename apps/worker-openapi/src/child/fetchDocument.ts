import { JobError } from '@bindery/contract/jobErrors';
import { basicAuthorization, outboundLimits, throwForStatus, type Outbound } from '@bindery/outbound';
import { compact } from '@bindery/runtime/compact';
import type { SpecLogin, Validators } from './specWork.ts';

export type FetchedDocument = {
  /** The URL of the answer, after redirects. */
  url: URL;
  bytes: Buffer;
  validators?: Validators | undefined;
};

/** A longer validator would be no name of a state, but something to store. */
const maxValidatorLength = 500;

/**
 * Fetches one document as a whole.
 *
 * @param validators  of the document that is known
 * @param origin  the only one that may answer: redirects to other hosts are not followed
 * @param timeoutMs  for the whole document, with redirects
 * @returns undefined when the server still has the document that `validators` name
 * @throws JobError, all errors of the guarded client; the reason of the signal
 */
export async function fetchDocument(
  url: URL,
  {
    outbound,
    login,
    validators,
    origin,
    timeoutMs,
    signal,
  }: {
    outbound: Outbound;
    login?: SpecLogin | undefined;
    validators?: Validators | undefined;
    origin?: string;
    timeoutMs: number;
    signal?: AbortSignal;
  },
): Promise<FetchedDocument | undefined> {
  const response = await outbound.request({
    url,
    headers: {
      accept: 'application/json, application/yaml, application/vnd.oai.openapi, text/yaml, */*;q=0.5',
      ...compact({
        authorization: login && basicAuthorization(login),
        'if-none-match': validators?.etag,
        'if-modified-since': validators?.lastModified,
      }),
    },
    redirects: origin === undefined ? 'follow' : 'same-host',
    limits: { ...outboundLimits.spec, headersMs: timeoutMs, totalMs: timeoutMs },
    signal,
  });
  if (response.status === 304 && validators) {
    await response.discard();
    return undefined;
  }
  throwForStatus(response);
  if (origin !== undefined && response.url.origin !== origin) {
    await response.discard();
    throw new JobError('redirect', 'The server redirects to another host.');
  }
  return {
    url: response.url,
    bytes: Buffer.concat(await Array.fromAsync(response.body)),
    validators: validatorsOf(response.headers),
  };
}

function validatorsOf({
  etag,
  'last-modified': lastModified,
}: Record<string, string>): Validators | undefined {
  const keptOf = (value: string | undefined) =>
    value !== undefined && value.length <= maxValidatorLength ? value : undefined;
  const kept = compact({ etag: keptOf(etag), lastModified: keptOf(lastModified) });
  return Object.keys(kept).length > 0 ? kept : undefined;
}
