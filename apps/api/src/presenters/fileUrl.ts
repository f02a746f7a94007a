import { isSignatureValid, signText } from '@bindery/runtime';
import { thePlatform } from '../platform.ts';

const purpose = 'file-url';

/**
 * Which stored bytes a URL leads to, and the name under which they are shown or saved.
 *
 * `until` ends it, in seconds since 1970; without, the URL is good for as long as the bytes are stored. With `space` it ends with that space, and follows it
 * into another organization. With `site` too it was given to a visitor of that site: it also ends when the site no longer shows the space, or is no
 * longer published, unless they looked at it before that (`isPreview`).
 */
export type SignedFile = {
  organization: string;
  blob: string;
  name: string;
  until?: number;
  space?: string;
  site?: string;
  isPreview?: boolean;
};

const visitorUrlStep = 1_800;

/**
 * When the URL of a file ends that a visitor gets now, in seconds since 1970: in 60 to 90 minutes. It is the same for half an hour, so that browsers
 * keep what they have, and answers their tags.
 */
export function visitorUrlEnd(): number {
  return (Math.floor(Date.now() / 1_000 / visitorUrlStep) + 3) * visitorUrlStep;
}

/** The URL of a file: whoever has it may read these bytes under this name, and no others, without a token. */
export function fileUrl(file: SignedFile): string {
  const { secrets, api } = thePlatform().config;
  const path = [file.organization, file.blob, file.name].map(encodeURIComponent).join('/');
  const end = file.until === undefined ? '' : `until=${file.until}&`;
  const owner = file.space === undefined ? '' : `space=${encodeURIComponent(file.space)}&`;
  const visited = file.site === undefined ? '' : `site=${encodeURIComponent(file.site)}&${file.isPreview ? 'preview=1&' : ''}`;
  return `${api.publicUrl}/files/${path}?${owner}${visited}${end}signature=${signText(secrets, purpose, signed(file))}`;
}

export function isFileUrlValid(file: SignedFile, signature: string): boolean {
  const isOver = file.until !== undefined && !(Date.now() < file.until * 1_000);
  return !isOver && isSignatureValid(thePlatform().config.secrets, purpose, signed(file), signature);
}

/** The name too: it decides the type under which the bytes are served. */
function signed({ organization, blob, name, until, space, site, isPreview }: SignedFile): string {
  const owner = { space, site, ...(isPreview && { isPreview }) };
  return JSON.stringify([organization, blob, name, ...(until === undefined ? [] : [until]), ...(space === undefined ? [] : [owner])]);
}
