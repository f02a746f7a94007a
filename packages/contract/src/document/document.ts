import { z } from 'zod';
import { DocumentBlock } from './documentNodes.ts';
import { documentProblems } from './documentRules.ts';
import { jsonProblem } from '../input/input.ts';
import { documentLimits } from '../input/jsonLimits.ts';

export type {
  DocumentBlock,
  DocumentFragment,
  DocumentInline,
  DocumentNode,
  DocumentText,
} from './documentNodes.ts';
export type { BlockType, InlineType } from './documentStructure.ts';
export type { MarkType } from './documentTypes.ts';
export { emptyDocument } from './documentPlaces.ts';

/** Limit for a whole tree as JSON, because it is stored with its record and shown in lists. */
const maxCharacters = 4_000_000;

const Tree = z
  .object({
    object: z.literal('document'),
    data: z.looseObject({ schemaVersion: z.int().min(0).optional() }),
    nodes: z.array(DocumentBlock),
  })
  .superRefine(({ nodes }, context) => {
    for (const { path, message } of documentProblems(nodes))
      context.addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'JSONDocument' });

/**
 * A document as a tree of blocks, inlines and text, with the properties of each type in `data`; the same in
 * requests and responses.
 *
 * The types, their permitted children (documentStructure.ts) and their `data` (documentTypes.ts) follow the
 * published document.
 * Fields that the schema does not list are dropped, except inside `data`.
 */
export const DocumentTree = z.preprocess((given, context) => {
  // Checked before any code walks the tree recursively.
  if (given === undefined) return given;
  const problem = jsonProblem(given, documentLimits) ?? sizeProblem(given);
  if (problem === undefined) return given;
  context.addIssue(problem);
  return z.NEVER;
}, Tree);
export type DocumentTree = z.infer<typeof Tree>;

function sizeProblem(given: unknown): string | undefined {
  return JSON.stringify(given).length > maxCharacters
    ? `must have at most ${maxCharacters} characters as JSON`
    : undefined;
}
