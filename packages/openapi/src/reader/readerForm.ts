import type { Findings } from '../findings.ts';
import { partIn, type Part } from '../source/parts.ts';
import type { Source } from '../source/source.ts';
import type { OpenapiVersion } from '../version.ts';
import { describe } from './describe.ts';

/**
 * The document as GitBook's reader shows it: OpenAPI 3.x with rendered descriptions. Changes the document.
 *
 * @returns  JSON text
 */
export async function readerForm(
  document: Part,
  { version, entry, findings }: { version: OpenapiVersion; entry: Source; findings: Findings },
): Promise<string> {
  const upgraded = version.minor === '2.0' ? await upgrade(document, { entry, findings }) : document;
  describe(upgraded);
  return JSON.stringify(upgraded);
}

/** Converts Swagger 2.0 to OpenAPI 3.0, leniently. */
async function upgrade(
  document: Part,
  { entry, findings }: { entry: Source; findings: Findings },
): Promise<Part> {
  const { default: swagger2openapi } = await import('swagger2openapi');
  try {
    const { openapi } = await swagger2openapi.convertObj(document, { patch: true, warnOnly: true });
    return openapi;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.add({
      severity: 'error',
      rule: 'not-upgraded',
      message: `The document cannot be converted to OpenAPI 3.0, and so cannot be shown: ${reason}.`,
      source: entry,
      pointer: '',
    });
    return { openapi: '3.0.3', info: partIn(document, 'info') ?? {}, paths: {} };
  }
}
