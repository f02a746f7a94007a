import { z } from 'zod';

/** What a link says about itself, as far as the URL tells: nothing is fetched. */
export const Embed = z
  .object({ title: z.string(), site: z.string(), icon: z.string().optional(), type: z.literal('link') })
  .meta({ id: 'Embed' });
export type Embed = z.infer<typeof Embed>;
