import { readFileSync } from 'node:fs';
import type { OutboundSettings } from './outbound.ts';

type Settings = Pick<OutboundSettings, 'allow' | 'refused'> & { caFile?: string | undefined };

/**
 * Returns the operator's settings for a child process, with the text of the CA file, because the child's user
 * may not be able to read the file.
 *
 * @throws Error when the file cannot be read
 */
export function settingsForChild({ allow, refused, caFile }: Settings): OutboundSettings {
  return { allow, refused, caFile, caText: caFile && readFileSync(caFile, 'utf8') };
}
