import { z } from 'zod';
import { Id, text } from '../input/input.ts';

/** A search query. It is plain text: no character is an operator. */
export const SearchText = text(1, 512).describe(
  'Words to search for; the last one also matches as a prefix.',
);

const score = z.number().min(0).describe('Higher is better; comparable only within one search.');
const urls = z.object({ app: z.url() });

const SearchSectionResult = z
  .object({
    id: z
      .string()
      .describe('The anchor of its heading; for the text before the first heading, the id of the page.'),
    title: z.string(),
    path: z.string().describe('The path of the page, with the anchor behind a `#`.'),
    body: z.string().max(300).describe('An excerpt around the match.'),
    score,
    urls,
  })
  .meta({ id: 'SearchSectionResult' });

export const SearchPageResult = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    path: z.string(),
    score,
    rank: z.int().min(1).describe('Rank among all results, from 1.'),
    ancestors: z.array(z.object({ title: z.string() })).describe('Its ancestors, from the root.'),
    sections: z
      .array(SearchSectionResult)
      .max(5)
      .optional()
      .describe('The best matching sections of the page.'),
    urls,
  })
  .meta({ id: 'SearchPageResult' });
export type SearchPageResult = z.infer<typeof SearchPageResult>;

export const SearchSpaceResult = z
  .object({
    type: z.literal('space'),
    id: z.string(),
    title: z.string(),
    score: score.describe('That of its best page.'),
    pages: z.array(SearchPageResult).max(10).describe('Its best pages.'),
  })
  .meta({ id: 'SearchSpaceResult' });
export type SearchSpaceResult = z.infer<typeof SearchSpaceResult>;

const siteSpaces = z.array(Id).min(1).max(1000);

const SiteSearchScope = z
  .discriminatedUnion('mode', [
    z.object({
      mode: z
        .literal('default')
        .describe('The default content of each section; without sections, that of the site.'),
      currentSiteSpace: Id.optional().describe(
        'Always searched; in other sections, the variants in its language are searched.',
      ),
      restrictTo: z
        .enum(['currentSiteSpace', 'otherSiteSpaces'])
        .optional()
        .describe('Only with `currentSiteSpace`.'),
      includedSiteSpaces: z.array(Id).max(1000).optional().describe('Searched as well.'),
    }),
    z.object({ mode: z.literal('specific'), siteSpaceIds: siteSpaces }),
    z.object({ mode: z.literal('all').describe('All sections with all their variants.') }),
  ])
  .meta({ id: 'SiteSearchScope' });
export type SiteSearchScope = z.infer<typeof SiteSearchScope>;

/** `mode`, `siteSpaceId` and `siteSpaceIds` express the scope for clients of earlier versions. */
export const SearchSite = z
  .object({
    query: SearchText,
    scope: SiteSearchScope.optional(),
    mode: z.enum(['specific', 'current', 'all']).optional().meta({ deprecated: true }),
    siteSpaceIds: siteSpaces.optional().meta({ deprecated: true }),
    siteSpaceId: Id.optional().meta({ deprecated: true }),
  })
  .superRefine(({ scope, mode, siteSpaceIds, siteSpaceId }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (scope?.mode === 'default' && scope.restrictTo !== undefined && scope.currentSiteSpace === undefined)
      problem('scope.currentSiteSpace', 'is required with `restrictTo`');
    if (scope) return;
    if (mode === undefined && siteSpaceIds === undefined)
      problem('scope', 'is required, such as {"mode": "all"}');
    if (mode === 'specific' && siteSpaceIds === undefined)
      problem('siteSpaceIds', 'is required with the mode `specific`');
    if (mode === 'current' && siteSpaceId === undefined)
      problem('siteSpaceId', 'is required with the mode `current`');
  })
  .meta({ id: 'SearchSite' });
export type SearchSite = z.infer<typeof SearchSite>;
