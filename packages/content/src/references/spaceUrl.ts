import { trimmedSides } from '@bindery/contract/trimCharacters';
import { percentDecoded } from '@bindery/dialect/links';

/** A parsed URL of the application: a space, and the path in it. */
export type SpaceTarget = { space: string; path: string; page?: string; anchor?: string };

/**
 * Parses a URL of a space: `https://app.gitbook.com/s/ID/path`, the same below the platform's own
 * application, or `/s/ID/...`.
 *
 * @param appUrl  origin of the application, without a slash at the end
 */
export function targetOfUrl(url: string, appUrl: string | undefined): SpaceTarget | undefined {
  const rest = pathInApplication(url, appUrl);
  const [, space, behind = '', fragment] =
    /^\/s\/([\w-]{1,64})(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/.exec(rest ?? '') ?? [];
  if (space === undefined) return undefined;
  const path = trimmedSides(percentDecoded(behind) ?? behind, '/');
  const page = /^~\/pages\/([^/]+)$/.exec(path)?.[1];
  return {
    space,
    path,
    page,
    anchor: fragment ? (percentDecoded(fragment) ?? fragment) : undefined,
  };
}

/** Returns the id of the collection that a URL of the application names. */
export function collectionOfUrl(url: string, appUrl: string | undefined): string | undefined {
  return /^\/c\/([\w-]{1,64})\/?$/.exec(pathInApplication(url, appUrl) ?? '')?.[1];
}

/** Tells whether a URL belongs to the application. */
export function isInApplication(url: string, appUrl: string): boolean {
  return url === appUrl || ['/', '?', '#'].some((next) => url.startsWith(`${appUrl}${next}`));
}

/** Returns the space that a target may lead into, existing or not, which has to be loaded to resolve it. */
export function spaceNamedIn(target: string): string | undefined {
  // Accepts any host: resolving the target checks whether it is the platform's.
  return /^(?:https?:\/\/[^/?#]+)?\/(?:o\/[^/?#]+\/)?(?:broken\/)?s(?:paces)?\/([\w-]{1,64})(?=[/?#]|$)/i.exec(
    target,
  )?.[1];
}

function pathInApplication(url: string, appUrl: string | undefined): string | undefined {
  if (appUrl !== undefined && isInApplication(url, appUrl)) return url.slice(appUrl.length);
  return /^https?:\/\/app\.gitbook\.com(?:\/o\/[^/?#]+)?(\/s\/.*)$/i.exec(url)?.[1];
}
