import type { IncomingMessage } from 'node:http';
import type { RefusedBody } from '@bindery/runtime';
import { withBody } from './readBody.ts';

/** The usual limit. */
const formBytes = 100_000;
/** Of a form with a file. Browsers send one for each field and each file. */
const maxParts = 100;
/** Of the headers of one part: they have a name of a field and of a file. */
const maxHeaderBytes = 4_096;
/** As browsers write it: of another form, the parser could find another boundary than is counted here. */
const multipart = /^multipart\/form-data; ?boundary=("?)([\w'-]{1,70})\1$/i;

type RefusedForm = RefusedBody | 'noForm';

/** A form of a request: its fields, or the reason why it has none that can be read. */
type Form = { fields: URLSearchParams } | { refused: RefusedForm };

/**
 * Reads the fields of a form and works on them. A file of the field `file` becomes the fields `file.name`,
 * `file.type` and `file.base64`.
 *
 * @param maxBytes  the limit for the whole form; one without a file has its own, unless that is wanted
 */
export async function withFields<T>(
  request: IncomingMessage,
  { maxBytes = formBytes, isWithFile = false }: { maxBytes?: number | undefined; isWithFile?: boolean },
  work: (form: Form) => Promise<T>,
): Promise<T> {
  const type = request.headers['content-type'] ?? '';
  const [, , boundary] = multipart.exec(type) ?? [];
  if (boundary === undefined && !/^application\/x-www-form-urlencoded\b/i.test(type))
    return work({ refused: 'noForm' });
  // A text of the size of a file would be cut into millions of fields.
  const limit = isWithFile && boundary === undefined ? formBytes : maxBytes;
  return withBody(request, limit, async (body) => {
    if (typeof body === 'string') return work({ refused: body });
    const form =
      boundary === undefined
        ? { fields: new URLSearchParams(body.toString('utf8')) }
        : await fieldsOfParts(body, { type, boundary });
    return work(form);
  });
}

async function fieldsOfParts(
  body: Buffer<ArrayBuffer>,
  { type, boundary }: { type: string; boundary: string },
): Promise<Form> {
  if (!hasFewParts(body, boundary)) return { refused: 'noForm' };
  const parts = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (!parts) return { refused: 'noForm' };
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
  return { fields };
}

/** Whether the parser reads a body soon. It has no limits: hundreds of thousands of parts take seconds. */
function hasFewParts(body: Buffer, boundary: string): boolean {
  const separator = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length)) {
    parts += 1;
    if (parts > maxParts + 1) return false;
    const header = body.subarray(at, at + maxHeaderBytes);
    const isLast = header.subarray(separator.length, separator.length + 2).equals(Buffer.from('--'));
    if (!isLast && !header.includes('\r\n\r\n')) return false;
  }
  return parts > 0;
}
