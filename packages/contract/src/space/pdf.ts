import { z } from 'zod';
import { fromWord, Id } from '../input/input.ts';

export const pdfPageSizes = ['a4', 'letter'] as const;

export const ChangeRequestPDFQuery = z
  .object({
    page: Id.optional().describe('Only this page and the pages below it.'),
    only: fromWord(z.boolean().default(false)).describe(
      'With `page`: only that page, without its descendants.',
    ),
    changes: fromWord(z.boolean().default(false)).describe(
      'Only for change requests: the changed pages alone, with their added, changed and removed blocks marked, behind a list of all changes.',
    ),
    pageSize: z.enum(pdfPageSizes).default('a4').describe('Size of the sheets.'),
  })
  .refine(({ only, page }) => !only || page !== undefined, { path: ['only'], message: 'needs `page`' });
export type PDFQuery = z.infer<typeof ChangeRequestPDFQuery>;

export const SpacePDFQuery = ChangeRequestPDFQuery.refine(({ changes }) => !changes, {
  path: ['changes'],
  message: 'is only for change requests, because the main content of a space has no changes',
});

export const PDFLink = z
  .object({ url: z.string().describe('Valid for one hour, without a token.') })
  .meta({ id: 'PDFLink' });
