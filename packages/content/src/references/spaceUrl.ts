import { trimmedSides } from '@bindery/contract/trimCharacters';
import { percentDecoded } from '@bindery/dialect/links';

/** What a URL of the application says: a space, and what stands behind it. */
export type SpaceTarget = { space: string; path: string; page?: string; anchor?: string };

/**
 * The place in a space that a URL names: `https://app.gitbook.com/s/ID/path`, the same below the platform's own application, or `/s/ID/...`.
 *
 * @param appUrl  origin of the application, without a slash at the end
 */
export function targetOfUrl(url: string, appUrl: string | undefined): SpaceTarget | undefined {
  const rest = pathInApplication(url, appUrl);
  const [, space, behind = '', fragment] = /^\/s\/([\w-]{1,64})(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/.exec(rest ?? '') ?? [];
  if (space === undefined) return undefined;
  const path = trimmedSides(percentDecoded(behind) ?? behind, '/');
  const page = /^~\/pages\/([^/]+)$/.exec(path)?.[1];
  return { space, path, ...(page !== undefined && { page }), ...(fragment && { anchor: percentDecoded(fragment) ?? fragment }) };
}

/** The id of the collection that a URL of the application names. */
export function collectionOfUrl(url: string, appUrl: string | undefined): string | undefined {
  return /^\/c\/([\w-]{1,64})\/?$/.exec(pathInApplication(url, appUrl) ?? '')?.[1];
}

/** Whether a URL is one of the application. */
export function isInApplication(url: string, appUrl: string): boolean {
  return url === appUrl || ['/', '?', '#'].some((next) => url.startsWith(`${appUrl}${next}`));
}

/** The spaces that a target may lead into, whether they exist or not: enough to load what resolving it takes. */
export function spaceNamedIn(target: string): string | undefined {
  // Any host: which one is the platform's is known where the target is resolved.
  return /^(?:https?:\/\/[^/?#]+)?\/(?:o\/[^/?#]+\/)?(?:broken\/)?s(?:paces)?\/([\w-]{1,64})(?=[/?#]|$)/i.exec(target)?.[1];
}

function pathInApplication(url: string, appUrl: string | undefined): string | undefined {
  if (appUrl !== undefined && isInApplication(url, appUrl)) return url.slice(appUrl.length);
  return /^https?:\/\/app\.gitbook\.com(?:\/o\/[^/?#]+)?(\/s\/.*)$/i.exec(url)?.[1];
}
