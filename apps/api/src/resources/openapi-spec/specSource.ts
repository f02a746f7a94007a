import { invalid, type OpenAPISpecSource } from '@bindery/contract';
import type { OpenAPISpecSourceRecord } from '@bindery/models';
import { sealSecret } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';
import { splitLogin } from '../../input/splitLogin.ts';
import { storeText } from '../../records/storeText.ts';

/**
 * A source as it is stored: a text becomes a blob, the login of a URL is sealed for this specification and stands nowhere else.
 *
 * @throws invalid_request when the URL shows by itself that it is refused
 */
export async function storeSource(
  { url, text }: OpenAPISpecSource,
  { specId, organization }: { specId: string; organization: string },
): Promise<OpenAPISpecSourceRecord> {
  if (url === undefined) return { blob: await storeText(organization, text ?? '') };
  const { url: checked, login } = splitLogin(url, 'body.source.url');
  const shown = asUri(checked);
  if (shown.length > maxUrlLength)
    throw invalid('body.source.url', `must have at most ${maxUrlLength} characters, those percent-encoded that have to be.`);
  if (!login) return { url: shown };
  return { url: shown, login: sealSecret(thePlatform().config.secrets, JSON.stringify(login), `openapi-source:${specId}`) };
}

const maxUrlLength = 2048;

/** A URL parser leaves some characters as they are that the standard for URIs does not have. */
function asUri({ href }: URL): string {
  return href.replaceAll(/[^\w.~:/?#[\]@!$&'()*+,;=%-]/g, encodeURIComponent);
}
