import { ApiInformation } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { version } from '../../version.ts';

export const platformRoutes = [
  root.get(
    '/',
    {
      operationId: 'getApiInformation',
      summary: 'Get the version of the platform',
      permission: 'token',
      response: ApiInformation,
    },
    async () => ({ version, build: version }),
  ),
];
