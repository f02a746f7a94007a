import { invalid, type OpenAPISpecSource } from '@bindery/contract';
import type { OpenAPISpecSourceRecord } from '@bindery/models';
import { sealSecret } from '@bindery/runtime';
import type { Platform } from '../../platform.ts';
import { splitLogin } from '../../input/splitLogin.ts';
import { storeText } from '../../records/storeText.ts';

/** The parts of the platform that storing a source requires. */
export type SpecPlatform = Pick<Platform, 'config' | 'blobs' | 'outbound'>;

/**
 * Stores a source: a text becomes a blob; the login of a URL is sealed for this specification and stored
 * separately from the URL.
 *
 * @throws invalid_request for a URL that is forbidden as written
 */
export async function storeSource(
  { config, blobs, outbound }: SpecPlatform,
  { url, text }: OpenAPISpecSource,
  { specId, organization }: { specId: string; organization: string },
): Promise<OpenAPISpecSourceRecord> {
  if (url === undefined) return { blob: await storeText(blobs, { organization, text: text ?? '' }) };
  const { url: checked, login } = splitLogin(url, { path: 'body.source.url', outbound });
  const shown = asUri(checked);
  if (shown.length > maxUrlLength)
    throw invalid(
      'body.source.url',
      `must have at most ${maxUrlLength} characters, those percent-encoded that have to be.`,
    );
  if (!login) return { url: shown };
  return { url: shown, login: sealSecret(config.secrets, JSON.stringify(login), `openapi-source:${specId}`) };
}

const maxUrlLength = 2048;

/** Encodes the characters that a URL parser leaves but RFC 3986 does not allow. */
function asUri({ href }: URL): string {
  return href.replaceAll(/[^\w.~:/?#[\]@!$&'()*+,;=%-]/g, encodeURIComponent);
}
