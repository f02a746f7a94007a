import type { Request } from 'express';
import type { Route } from '../scope.ts';

/** All operations deprecated today have been deprecated since the first version of this platform. */
const deprecatedSince = new Date('2026-01-01T00:00:00Z');

/** Headers of a deprecated operation: the date of deprecation (RFC 9745) and the successor (RFC 8288). */
export function deprecationHeaders(
  { spec }: Route,
  request: Request,
  { publicUrl }: { publicUrl: string },
): [name: string, value: string][] {
  if (!spec.deprecated) return [];
  const since: [string, string] = ['Deprecation', `@${deprecatedSince.getTime() / 1000}`];
  if (spec.successor === undefined) return [since];
  const path = spec.successor.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(request.params[name] ?? '')),
  );
  return [since, ['Link', `<${publicUrl}/v1${path}>; rel="successor-version"`]];
}

/** Descriptions of these headers for the OpenAPI document. */
export function deprecationDocumentation({ deprecated, successor }: Route['spec']): Record<string, string> {
  return {
    ...(deprecated && { Deprecation: 'When the operation was deprecated: `@` and epoch seconds.' }),
    ...(deprecated &&
      successor !== undefined && { Link: 'The operation to use instead, `rel="successor-version"`.' }),
  };
}
