import { isSignatureValid, signText } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

const purpose = 'file-url';

/**
 * Which stored bytes a URL leads to, and the name under which they are shown or saved.
 *
 * `until` ends it, in seconds since 1970; without, the URL is permanent.
 */
export type FilePlace = { organization: string; blob: string; name: string; until?: number };

/** The URL of a file: whoever has it may read these bytes under this name, and no others, without a token. */
export function fileUrl(place: FilePlace): string {
  const { secrets, api } = thePlatform().config;
  const path = [place.organization, place.blob, place.name].map(encodeURIComponent).join('/');
  const end = place.until === undefined ? '' : `until=${place.until}&`;
  return `${api.publicUrl}/files/${path}?${end}signature=${signText(secrets, purpose, signed(place))}`;
}

export function isFileUrlValid(place: FilePlace, signature: string): boolean {
  const isOver = place.until !== undefined && !(Date.now() < place.until * 1_000);
  return !isOver && isSignatureValid(thePlatform().config.secrets, purpose, signed(place), signature);
}

/** The name too: it decides the type under which the bytes are served. */
function signed({ organization, blob, name, until }: FilePlace): string {
  return JSON.stringify([organization, blob, name, ...(until === undefined ? [] : [until])]);
}
