import { isSignatureValid, newId, signText } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

const purpose = 'upload-url';
const maxNameLength = 150;

/** Bytes that are to be uploaded: for which organization, under which key, how many at most, and until when (seconds since 1970). */
export type SignedUpload = { organization: string; key: string; sizeBytes: number; until: number };

/** A key that nothing else has; it ends in the file's name, which says what the file is. */
export function newUploadKey(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}/\\?#%]+/gu, ' ')
    .trim();
  return `${newId()}-${plain.slice(-maxNameLength) || 'file'}`;
}

/** What a key says; undefined for one that no upload got. */
export function uploadedFile(key: string): { key: string; name: string } | undefined {
  const name = /^[0-9A-Za-z]{20}-(.+)$/s.exec(key)?.[1];
  return name === undefined ? undefined : { key, name };
}

/** Where to put the bytes: whoever has it may do so once, without a token. */
export function uploadUrl(upload: SignedUpload): string {
  const { secrets, api } = thePlatform().config;
  const path = [upload.organization, upload.key].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({
    size: String(upload.sizeBytes),
    until: String(upload.until),
    signature: signText(secrets, purpose, signed(upload)),
  });
  return `${api.publicUrl}/uploads/${path}?${query.toString()}`;
}

export function isUploadValid(upload: SignedUpload, signature: string): boolean {
  return Date.now() < upload.until * 1_000 && isSignatureValid(thePlatform().config.secrets, purpose, signed(upload), signature);
}

function signed({ organization, key, sizeBytes, until }: SignedUpload): string {
  return JSON.stringify([organization, key, sizeBytes, until]);
}
