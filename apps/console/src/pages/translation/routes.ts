import type { Route } from '../../http/route.ts';
import { exportRoutes } from './exports.ts';
import { glossaryRoutes } from './glossary.ts';
import { newTranslationRoutes } from './newTranslation.ts';
import { segmentRoutes } from './segment.ts';
import { segmentsRoutes } from './segments.ts';
import { translationPageRoutes } from './translation.ts';
import { translationsRoutes } from './translations.ts';

/** The pages of translations and of the glossary. */
export const translationRoutes: readonly Route[] = [
  ...translationsRoutes,
  ...newTranslationRoutes,
  ...translationPageRoutes,
  ...segmentsRoutes,
  ...segmentRoutes,
  ...glossaryRoutes,
  ...exportRoutes,
];
