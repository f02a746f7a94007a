import { z } from 'zod';

export const SiteIntegrationScript = z
  .object({ script: z.string(), contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })
  .meta({ id: 'SiteIntegrationScript' });
