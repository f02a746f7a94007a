import { z } from 'zod';
import { text } from '../input/input.ts';

/**
 * The key of a share link in a query. A value of another type is read as a key that opens nothing, like any
 * wrong one.
 */
export const ShareKey = z.preprocess(
  (value) => (value === undefined || text(0, 256).safeParse(value).success ? value : ''),
  // The document states no length: a key that is too long is wrong, but not a bad request.
  z.string().optional(),
);

export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: z.string(),
    name: z.string(),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    urls: z.object({
      published: z.string().describe('URL of the site with the secret: anyone who has it can read the site.'),
    }),
  })
  .meta({ id: 'ShareLink' });
export type ShareLink = z.infer<typeof ShareLink>;

const ShareLinkName = text(0, 50).meta({ id: 'ShareLinkName' });

export const CreateShareLink = z.strictObject({ name: ShareLinkName }).meta({ id: 'CreateShareLink' });
export const UpdateShareLink = z
  .strictObject({ name: ShareLinkName.optional(), active: z.boolean().optional() })
  .meta({ id: 'UpdateShareLink' });
