import { decoded } from '@bindery/publishing';

/** The object that a URL of the application names. `urls.app` in answers has such URLs. */
export type AppTarget =
  | { collection: string }
  | { space: string; changeRequest?: string; revision?: string; page?: { id: string } | { path: string } };

/**
 * Parses a URL of the application: `/c/COLLECTION` or `/s/SPACE`, optionally followed by `~/changes/ID`,
 * `~/revisions/ID`, and `~/pages/ID` or the path of a page.
 *
 * @returns undefined for other paths and other origins
 */
export function parseAppUrl(text: string, appUrl: string): AppTarget | undefined {
  const url = URL.parse(text);
  const app = new URL(appUrl);
  if (!url || url.origin !== app.origin) return undefined;
  const prefix = segmentsOf(app);
  const segments = segmentsOf(url);
  if (prefix.some((segment, i) => segments[i] !== segment)) return undefined;
  const [kind, id, ...rest] = segments.slice(prefix.length);
  if (id === undefined) return undefined;
  if (kind === 'c' && rest.length === 0) return { collection: id };
  return kind === 's' ? { space: id, ...parseBehindSpace(rest) } : undefined;
}

function parseBehindSpace(segments: string[]): Omit<Extract<AppTarget, { space: string }>, 'space'> {
  const [mark, kind, id, ...rest] = segments;
  if (mark !== '~') return segments.length > 0 ? { page: { path: segments.join('/') } } : {};
  if (id === undefined) return {};
  if (kind === 'pages') return { page: { id } };
  if (kind === 'changes') return { changeRequest: id, ...parseBehindSpace(rest) };
  return kind === 'revisions' ? { revision: id, ...parseBehindSpace(rest) } : {};
}

function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
}
