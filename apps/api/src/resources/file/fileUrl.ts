import { isSignatureValid, signText } from '@bindery/runtime';
import { thePlatform } from '../../platform.ts';

const purpose = 'file-url';

/** Which stored bytes a URL leads to, and the name under which they are saved. */
export type FilePlace = { organization: string; blob: string; name: string };

/** The permanent URL of a file: whoever has it may read these bytes, and no others, without a token. */
export function fileUrl({ organization, blob, name }: FilePlace): string {
  const signature = signText(thePlatform().config.secrets, purpose, `${organization}/${blob}`);
  return `${thePlatform().config.api.publicUrl}/files/${organization}/${blob}/${encodeURIComponent(name)}?signature=${signature}`;
}

export function isFileUrlValid({ organization, blob }: Omit<FilePlace, 'name'>, signature: string): boolean {
  return isSignatureValid(thePlatform().config.secrets, purpose, `${organization}/${blob}`, signature);
}
