import { JobError } from '@bindery/contract/jobErrors';
import { outboundLimits, throwForStatus, type Outbound, type OutboundLimits } from '@bindery/outbound';

const MiB = 1024 * 1024;

/** A user waits for the import: a resource that takes longer than half a minute counts as missing. */
const patience = {
  ...outboundLimits.content,
  totalMs: 27_000,
  rateWindowMs: 10_000,
} satisfies OutboundLimits;

/** The media types and the size limit of one kind of source. */
export type ResourceKind = { name: string; types: readonly string[]; maxBytes: number };

/** The media type that servers use for unknown content. */
const anyBytes = 'application/octet-stream';

export const resourceKinds = {
  markdown: {
    name: 'Markdown',
    types: ['text/markdown', 'text/x-markdown', 'text/plain', anyBytes],
    maxBytes: 2 * MiB,
  },
  html: { name: 'a web page', types: ['text/html', 'application/xhtml+xml'], maxBytes: 5 * MiB },
  archive: {
    name: 'a ZIP archive',
    types: ['application/zip', 'application/x-zip-compressed', 'application/x-zip', anyBytes],
    maxBytes: 20 * MiB,
  },
  docx: {
    name: 'a Word document',
    types: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/zip',
      anyBytes,
    ],
    maxBytes: 20 * MiB,
  },
  image: {
    name: 'an image',
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml', anyBytes],
    maxBytes: 5 * MiB,
  },
  robots: { name: 'rules for robots', types: ['text/plain'], maxBytes: MiB / 2 },
} as const satisfies Record<string, ResourceKind>;

export type Resource = {
  /** The URL of the answer, after redirects. */
  url: URL;
  /** Without parameters, in lower case. */
  type: string;
  charset: string | undefined;
  bytes: Buffer;
};

/**
 * Fetches one resource as a whole.
 *
 * @param kinds  the accepted kinds
 * @throws JobError `bad_content` for another content type, and all errors of the guarded client. Timeouts are
 *   not retried, because no user waits that long
 */
export async function fetchResource(
  outbound: Outbound,
  url: URL,
  kinds: readonly ResourceKind[],
): Promise<Resource> {
  const maxBytes = Math.max(...kinds.map((kind) => kind.maxBytes));
  try {
    const accept = [...new Set(kinds.flatMap(({ types }) => types))]
      .filter((type) => type !== anyBytes)
      .join(', ');
    const response = await outbound.request({
      url,
      headers: { accept: `${accept}, */*;q=0.1` },
      redirects: 'follow',
      limits: { ...patience, maxBytes, maxDecodedBytes: maxBytes },
    });
    throwForStatus(response);
    const { type, charset } = parseContentType(response.headers['content-type']);
    const kind = kinds.find(({ types }) => types.includes(type));
    if (!kind) {
      void response.discard();
      throw otherType(kinds);
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > kind.maxBytes)
        throw new JobError('too_large', `The downloaded file exceeds ${Math.floor(kind.maxBytes / MiB)} MB.`);
      chunks.push(chunk);
    }
    return { url: response.url, type, charset, bytes: Buffer.concat(chunks) };
  } catch (error) {
    throw notAgain(error);
  }
}

/** Makes throttling and timeouts final: a server may ask for an hour, and a slow one stays slow. */
function notAgain(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const { code, message, action } = error;
  if (code === 'throttled')
    return new JobError(code, message, { class: 'transient', action: 'Try again later.' });
  if (code === 'timeout') return new JobError(code, message, { class: 'invalid', action });
  return error;
}

function otherType(kinds: readonly ResourceKind[]): JobError {
  return new JobError(
    'bad_content',
    `The server sent something else than ${kinds.map(({ name }) => name).join(' or ')}.`,
    {
      action:
        'Check that the URL leads to the content itself, without a sign-in, and that `source` says what it is.',
    },
  );
}

function parseContentType(header = anyBytes): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/i.exec(parameter)?.[1])
    .find(Boolean);
  return { type: type.trim().toLowerCase() || anyBytes, charset };
}

/** Decodes text in the given encoding; in UTF-8 if it is absent or unknown. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
