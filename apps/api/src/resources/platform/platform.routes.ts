import { ApiInformation, Capabilities } from '@bindery/contract';
import { platformVersion } from '@bindery/runtime';
import { root } from '../../http/scope.ts';
import { showCapabilities } from './showCapabilities.ts';

export const platformRoutes = [
  root.get(
    '/',
    {
      operationId: 'getApiInformation',
      summary: 'Get the version of the platform',
      permission: 'token',
      response: ApiInformation,
    },
    async () => ({ version: platformVersion, build: platformVersion }),
  ),

  root.get(
    '/system/capabilities',
    {
      operationId: 'getCapabilities',
      summary: 'Get the translation engines of running workers',
      description: 'Lists the languages, abilities and current state of each engine.',
      permission: 'token',
      response: Capabilities,
    },
    async () => showCapabilities(),
  ),
];
