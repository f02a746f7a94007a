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
      description:
        'Names the languages that each engine can translate, what else it can do, and whether it can be used now.',
      permission: 'token',
      response: Capabilities,
    },
    async () => showCapabilities(),
  ),
];
