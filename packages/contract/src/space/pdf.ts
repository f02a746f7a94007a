import { z } from 'zod';
import { fromWord, Id } from '../input/input.ts';

export const PDFQuery = z
  .object({
    page: Id.optional().describe('Only this page and the pages below it.'),
    only: fromWord(z.boolean().default(false)).describe(
      'With `page`: only that page, without its descendants.',
    ),
  })
  .refine(({ only, page }) => !only || page !== undefined, { path: ['only'], message: 'needs `page`' });
export type PDFQuery = z.infer<typeof PDFQuery>;

export const PDFLink = z
  .object({ url: z.string().describe('Valid for one hour, without a token.') })
  .meta({ id: 'PDFLink' });
