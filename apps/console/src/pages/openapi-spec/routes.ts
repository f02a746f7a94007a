import type { Route } from '../../http/route.ts';
import { compareRoutes } from './compare.ts';
import { specPageRoutes } from './spec.ts';
import { specsRoutes } from './specs.ts';
import { versionRoutes } from './version.ts';
import { versionDocumentRoutes } from './versionDocument.ts';

/** The pages of API specifications. */
export const specRoutes: readonly Route[] = [
  ...specsRoutes,
  ...specPageRoutes,
  ...versionRoutes,
  ...versionDocumentRoutes,
  ...compareRoutes,
];
