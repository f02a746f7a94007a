import type { ApiAnswer, TestApi } from './apiServer.ts';
import { buildUser } from './factories.ts';
import { it } from './it.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Signs an operator in. @returns the cookie, as a browser sends it */
export async function signInOperator(api: TestApi, token: string): Promise<string> {
  const body = new URLSearchParams({ token }).toString();
  const { headers } = await api.call('POST', '/admin/sign-in', { body, headers: form });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/**
 * The `it` of tests of the operator's area. Fixtures besides those of `it`:
 *
 * - `operator`: a user who may operate the installation
 * - `open`, `send`: a GET, and a POST of a form, with the cookie of the operator
 */
export const itAsOperator = it
  .extend('operator', { scope: 'file' }, ({ api: _started }) => buildUser({ isOperator: true }))
  .extend('cookie', { scope: 'file' }, ({ api, operator }) => signInOperator(api, operator.token))
  .extend(
    'open',
    ({ api, cookie }) =>
      (path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
        api.call('GET', path, { headers: { cookie, ...headers } }),
  )
  .extend(
    'send',
    ({ api, cookie }) =>
      (
        path: string,
        fields: Record<string, string> = {},
        headers: Record<string, string> = {},
      ): Promise<ApiAnswer> =>
        api.call('POST', path, {
          body: new URLSearchParams(fields).toString(),
          headers: { ...form, cookie, ...headers },
        }),
  );
