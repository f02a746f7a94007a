import { isSignatureValid, signText } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

const purpose = 'file-url';

/** Which stored bytes a URL leads to, and the name under which they are shown or saved. */
export type FilePlace = { organization: string; blob: string; name: string };

/** The permanent URL of a file: whoever has it may read these bytes under this name, and no others, without a token. */
export function fileUrl(place: FilePlace): string {
  const { secrets, api } = thePlatform().config;
  const path = [place.organization, place.blob, place.name].map(encodeURIComponent).join('/');
  return `${api.publicUrl}/files/${path}?signature=${signText(secrets, purpose, signed(place))}`;
}

export function isFileUrlValid(place: FilePlace, signature: string): boolean {
  return isSignatureValid(thePlatform().config.secrets, purpose, signed(place), signature);
}

/** The name too: it decides the type under which the bytes are served. */
function signed({ organization, blob, name }: FilePlace): string {
  return JSON.stringify([organization, blob, name]);
}
