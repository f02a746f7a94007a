import type { IncomingMessage } from 'node:http';

/** The usual limit. */
const formBytes = 100_000;
/** Browsers show no answer to a form that was not read to its end; longer ones are cut. */
const ignoredBytes = 20 * 1024 * 1024;

/**
 * Reads the fields of a form. A file of the field `file` becomes the fields `file.name`, `file.type` and
 * `file.base64`.
 *
 * @returns the reason when the body is too large or is not a form
 */
export async function readFields(
  request: IncomingMessage,
  maxBytes = formBytes,
): Promise<{ fields: URLSearchParams } | { refused: 'tooLarge' | 'noForm' }> {
  const type = request.headers['content-type'] ?? '';
  const isMultipart = /^multipart\/form-data\b/i.test(type);
  if (!isMultipart && !/^application\/x-www-form-urlencoded\b/i.test(type)) return { refused: 'noForm' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (bytes > maxBytes + ignoredBytes) break;
  }
  if (bytes > maxBytes) return { refused: 'tooLarge' };
  const body = Buffer.concat(chunks);
  if (!isMultipart) return { fields: new URLSearchParams(body.toString('utf8')) };
  const parts = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  return parts ? { fields: await fieldsOf(parts) } : { refused: 'noForm' };
}

async function fieldsOf(parts: FormData): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  for (const [name, value] of parts) {
    if (typeof value === 'string') fields.append(name, value);
    // A browser sends a file without a name when none was chosen.
    else if (value.name !== '') {
      fields.append(`${name}.name`, value.name);
      fields.append(`${name}.type`, value.type || 'application/octet-stream');
      fields.append(`${name}.base64`, Buffer.from(await value.arrayBuffer()).toString('base64'));
    }
  }
  return fields;
}
