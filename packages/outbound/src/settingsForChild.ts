import { readFileSync } from 'node:fs';
import type { OutboundSettings } from './outbound.ts';

type Settings = Pick<OutboundSettings, 'allow' | 'refused'> & { caFile?: string | undefined };

/**
 * The operator's settings for a child process, which gets the text of the CA file with them: its user may have no right to read the file.
 *
 * @throws Error when the file cannot be read
 */
export function settingsForChild({ allow, refused, caFile }: Settings): OutboundSettings {
  return { allow, refused, ...(caFile && { caFile, caText: readFileSync(caFile, 'utf8') }) };
}
