import { z } from 'zod';

/** The properties of a link that its URL alone reveals; nothing is fetched. */
export const Embed = z
  .object({ title: z.string(), site: z.string(), icon: z.string().optional(), type: z.literal('link') })
  .meta({ id: 'Embed' });
export type Embed = z.infer<typeof Embed>;
