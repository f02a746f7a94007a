import { invalid, type OpenAPISpecSource } from '@bindery/contract';
import { specSourceContext, type OpenAPISpecSourceRecord, type SourceArchive } from '@bindery/models';
import { sealSecret } from '@bindery/runtime';
import { blobKey } from '@bindery/storage';
import type { Platform } from '../../platform.ts';
import { splitLogin } from '../../input/splitLogin.ts';
import { storeText } from '../../records/storeText.ts';
import { uploadedFile } from '../storage/uploadKey.ts';

/** The parts of the platform that storing a source requires. */
export type SpecPlatform = Pick<Platform, 'config' | 'blobs' | 'outbound'>;

/**
 * Stores a source: a text becomes a blob; an archive is one already; the login of a URL is sealed for this
 * specification and stored separately from the URL.
 *
 * @throws invalid_request for a URL that is forbidden as written, and a key without an uploaded file
 */
export async function storeSource(
  { config, blobs, outbound }: SpecPlatform,
  { url, text, archive }: OpenAPISpecSource,
  { specId, organization }: { specId: string; organization: string },
): Promise<OpenAPISpecSourceRecord> {
  if (archive) return { archive: await checkArchive(blobs, archive, organization) };
  if (url === undefined) return { blob: await storeText(blobs, { organization, text: text ?? '' }) };
  const { url: checked, login } = splitLogin(url, { path: 'body.source.url', outbound });
  const shown = asUri(checked);
  if (shown.length > maxUrlLength)
    throw invalid('body.source.url', `must have at most ${maxUrlLength} characters after percent-encoding.`);
  if (!login) return { url: shown };
  return { url: shown, login: sealSecret(config.secrets, JSON.stringify(login), specSourceContext(specId)) };
}

async function checkArchive(
  blobs: SpecPlatform['blobs'],
  { file: key, entry }: NonNullable<OpenAPISpecSource['archive']>,
  organization: string,
): Promise<SourceArchive> {
  const stored = await blobs.findStored([blobKey(organization, key)]);
  if (!uploadedFile(key) || stored.size === 0)
    throw invalid('body.source.archive.file', 'is not the key of an uploaded file.');
  return { key, entry };
}

const maxUrlLength = 2048;

/** Encodes the characters that a URL parser leaves but RFC 3986 does not allow. */
function asUri({ href }: URL): string {
  return href.replaceAll(/[^\w.~:/?#[\]@!$&'()*+,;=%-]/g, encodeURIComponent);
}
