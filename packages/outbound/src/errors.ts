import { JobError } from '@bindery/contract/jobErrors';

/** One text for all refusals, so that it does not reveal which services exist where. */
export function refusedAddress(): JobError {
  return new JobError(
    'refused_address',
    'The URL leads to an address or port to which this server does not connect.',
    {
      action:
        'Use a public address on port 80, 443 or 3000 to 9999, or ask the operator to put host:port on the outbound allow list.',
    },
  );
}

const slowness = {
  connect: 'No connection was established in time.',
  headers: 'The server did not answer in time.',
  idle: 'The server stopped sending in the middle of its answer.',
  rate: 'The server sends its answer too slowly.',
  total: 'The exchange with the server took too long.',
};

export function timedOut(phase: keyof typeof slowness): JobError {
  return new JobError('timeout', slowness[phase], {
    action: 'Try again later, or check how fast the server answers.',
  });
}

export function tooLarge(maxBytes: number): JobError {
  return new JobError(
    'too_large',
    `The answer is larger than the limit of ${Math.floor(maxBytes / 1024)} KiB.`,
  );
}

export function badRedirect(problem: string): JobError {
  return new JobError('redirect', `The server redirects ${problem}.`, {
    action: 'Use the address that the server redirects to, if you trust it.',
  });
}

export function badCoding(problem: string): JobError {
  return new JobError('bad_content', `The answer's content coding ${problem}.`, {
    action: 'Try again later; if the error persists, check the server and its proxies.',
  });
}

/**
 * Converts an error of undici, TLS, DNS or zlib to the error that a user sees.
 *
 * Their messages contain addresses, host names and bytes of the server: only the code is kept, as `cause`. An
 * error without a code is a bug of ours or of the caller's request body, and is returned unchanged.
 */
export function toJobError(error: unknown): unknown {
  if (error instanceof JobError || !(error instanceof Error)) return error;
  const { syscall, code = error.name === 'HTTPParserError' ? 'HPE' : '' } = error as NodeJS.ErrnoException;
  if (code === '' || code === 'UND_ERR_INVALID_ARG') return error;
  if (syscall === 'getaddrinfo') return dnsError(code);
  if (isTlsCode(code)) return tlsError(code);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return timedOut('connect');
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return timedOut('headers');
  if (code === 'UND_ERR_BODY_TIMEOUT') return timedOut('idle');
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new JobError('too_large', 'The headers of the answer are too large.', { cause: code });
  // A compressed body that ends early was cut off; all other zlib errors come from the bytes themselves.
  if (/^(Z_|ERR__)/.test(code) && code !== 'Z_BUF_ERROR') return badCoding('is damaged');
  return new JobError('connect', 'The server could not be reached, or it ended the connection early.', {
    action: 'Check that the server runs and can be reached from here, or try again later.',
    cause: code,
  });
}

function dnsError(code: string): JobError {
  return new JobError('dns', 'The host name of the URL could not be resolved.', {
    // "No such name" is an answer; everything else is a failing name server.
    class: code === 'ENOTFOUND' ? 'invalid' : 'transient',
    action: 'Check the spelling of the host name.',
    cause: code,
  });
}

function isTlsCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH|ERROR_IN_CE?R)/.test(
    code,
  );
}

function tlsError(code: string): JobError {
  return new JobError('tls', `The server's TLS ${tlsProblem(code)}.`, {
    action:
      'Give the server a valid certificate; for a private authority the operator can add its certificate to the outbound CA file.',
    cause: code,
  });
}

function tlsProblem(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'certificate is not valid yet';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'certificate was made for another host name';
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test(code))
    return 'certificate comes from no authority that is trusted here';
  if (/^(ERR_SSL|ERR_OSSL|EPROTO)/.test(code)) return 'handshake failed';
  return 'certificate is not valid';
}
