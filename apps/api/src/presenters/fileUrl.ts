import { percentDecoded } from '@bindery/dialect/links';
import { isSignatureValid, signText, type Config } from '@bindery/runtime';

const purpose = 'file-url';

/**
 * The stored bytes that a URL names, and the name under which browsers show or save them.
 *
 * The URL expires at `until`, in seconds since 1970; without `until` it is valid as long as the bytes are
 * stored. With `space` it ends with that space, and follows it into another organization. With `site` it
 * belongs to a visitor of that site: it also ends when the site no longer shows the space, or is no longer
 * published, unless the visitor has a preview (`isPreview`).
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
 * The end of a file URL that a visitor gets now, in seconds since 1970: 60 to 90 minutes ahead. It stays the
 * same for half an hour, so that cached files and the entity tags of answers stay valid.
 */
export function visitorUrlEnd(): number {
  return (Math.floor(Date.now() / 1_000 / visitorUrlStep) + 3) * visitorUrlStep;
}

/** The signed URL of a file. It gives access, without a token, to these bytes under this name only. */
export function fileUrl({ secrets, api }: Pick<Config, 'secrets' | 'api'>, file: SignedFile): string {
  const path = [file.organization, file.blob, file.name].map(encodeURIComponent).join('/');
  const end = file.until === undefined ? '' : `until=${file.until}&`;
  const owner = file.space === undefined ? '' : `space=${encodeURIComponent(file.space)}&`;
  const visited =
    file.site === undefined
      ? ''
      : `site=${encodeURIComponent(file.site)}&${file.isPreview ? 'preview=1&' : ''}`;
  return `${api.publicUrl}/files/${path}?${owner}${visited}${end}signature=${signText(secrets, purpose, signed(file))}`;
}

export function isFileUrlValid(secrets: Config['secrets'], file: SignedFile, signature: string): boolean {
  const isOver = file.until !== undefined && !(Date.now() < file.until * 1_000);
  return !isOver && isSignatureValid(secrets, purpose, signed(file), signature);
}

/** Signs the name too: it decides the content type of the answer. */
function signed({ organization, blob, name, until, space, site, isPreview }: SignedFile): string {
  const owner = { space, site, isPreview: isPreview || undefined };
  return JSON.stringify([
    organization,
    blob,
    name,
    ...(until === undefined ? [] : [until]),
    ...(space === undefined ? [] : [owner]),
  ]);
}

/**
 * Reads a URL that `fileUrl` made. @returns undefined for any other URL, and for one with a wrong or expired
 * signature
 */
export function readFileUrl(
  { secrets, api }: Pick<Config, 'secrets' | 'api'>,
  url: string,
): SignedFile | undefined {
  const start = `${api.publicUrl}/files/`;
  if (!url.startsWith(start) || !URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  const [organization, blob, name, ...more] = pathname
    .slice(new URL(start).pathname.length)
    .split('/')
    .map((part) => percentDecoded(part) ?? part);
  if (organization === undefined || blob === undefined || name === undefined || more.length > 0)
    return undefined;
  const { signature, until, space, site, preview } = Object.fromEntries(searchParams);
  const file: SignedFile = {
    organization,
    blob,
    name,
    until: until === undefined ? undefined : Number(until),
    space,
    site,
    isPreview: site !== undefined && preview === '1',
  };
  return signature !== undefined && isFileUrlValid(secrets, file, signature) ? file : undefined;
}
