import { isSignatureValid, newId, signText, type Config } from '@bindery/runtime';

const purpose = 'upload-url';
const maxNameLength = 150;

/**
 * An announced upload: the organization, the key, the exact size, and the end of the URL in seconds since
 * 1970.
 */
export type SignedUpload = { organization: string; key: string; sizeBytes: number; until: number };

/** A unique key that ends in the file's name: the name tells the type of the file. */
export function newUploadKey(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}/\\?#%]+/gu, ' ')
    .trim();
  return `${newId()}-${plain.slice(-maxNameLength) || 'file'}`;
}

/** The key with the file name that it ends in; undefined for a text that newUploadKey cannot have made. */
export function uploadedFile(key: string): { key: string; name: string } | undefined {
  const name = /^[0-9A-Za-z]{20}-(.+)$/s.exec(key)?.[1];
  return name === undefined ? undefined : { key, name };
}

/** The signed URL for an upload. It permits one upload, without a token. */
export function uploadUrl({ secrets, api }: Pick<Config, 'secrets' | 'api'>, upload: SignedUpload): string {
  const path = [upload.organization, upload.key].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({
    size: String(upload.sizeBytes),
    until: String(upload.until),
    signature: signText(secrets, purpose, signed(upload)),
  });
  return `${api.publicUrl}/uploads/${path}?${query.toString()}`;
}

export function isUploadValid(secrets: Config['secrets'], upload: SignedUpload, signature: string): boolean {
  return Date.now() < upload.until * 1_000 && isSignatureValid(secrets, purpose, signed(upload), signature);
}

function signed({ organization, key, sizeBytes, until }: SignedUpload): string {
  return JSON.stringify([organization, key, sizeBytes, until]);
}
