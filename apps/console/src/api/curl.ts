import { shellQuote } from '@bindery/runtime';
import type { ApiRequest } from './api.ts';

/**
 * A request as a command for a shell. The token is that of the variable `BINDERY_TOKEN`, never one that
 * the console knows.
 *
 * @param publicUrl  the origin of the API as its users reach it
 */
export function curlOf({ method, path, json, file, isAsync }: ApiRequest, publicUrl: string): string {
  return [
    `curl -X ${method} ${shellQuote(`${publicUrl}/v1${path}`)}`,
    `-H "Authorization: Bearer $BINDERY_TOKEN"`,
    ...(isAsync ? [`-H 'Prefer: respond-async'`] : []),
    ...(json ? [`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(json))}`] : []),
    ...(file ? [`-H ${shellQuote(`Content-Type: ${file.type}`)}`, '--data-binary @FILE'] : []),
  ].join(' \\\n  ');
}
