import { hash } from 'node:crypto';
import { thePlatform } from '../../platform.ts';
import { version } from '../../version.ts';
import type { ContentOptions } from './content.presenter.ts';

/**
 * The entity tag of a read of content: the hashes of what it shows, and what it leaves out.
 *
 * The same content may look different after an update of the platform or with other URLs; then it is another answer.
 */
export function contentTag({ metadata }: ContentOptions, ...hashes: string[]): string {
  const { publicUrl, appUrl } = thePlatform().config.api;
  const shape = hash('sha256', `${version} ${publicUrl} ${appUrl} ${metadata}`, 'base64url').slice(0, 8);
  return [...hashes, shape].join('-');
}
