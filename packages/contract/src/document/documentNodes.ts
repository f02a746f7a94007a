import { z } from 'zod';
import { blockTypes, inlineTypes, type BlockType, type InlineType } from './documentStructure.ts';
import { markTypes, type MarkType } from './documentTypes.ts';

/** The general shape of document nodes; documentRules.ts adds the rules of each type. */

const Key = z.string().optional().describe('Unique in the document; comments refer to it.');
const Data = z.record(z.string(), z.unknown()).optional().describe('Fields of the type.');

const Mark = z
  .object({ object: z.literal('mark'), type: z.enum(Object.keys(markTypes) as [MarkType]), data: Data })
  .meta({ id: 'DocumentTextMark' });
const Leaf = z
  .object({ object: z.literal('leaf'), text: z.string(), marks: z.array(Mark) })
  .meta({ id: 'DocumentTextLeaf' });
const Text = z
  .object({ object: z.literal('text'), key: Key, leaves: z.array(Leaf) })
  .meta({ id: 'DocumentText' });

const nodeFields = { key: Key, isVoid: z.boolean().optional(), data: Data };
const blockFields = z.object({
  object: z.literal('block'),
  type: z.enum(Object.keys(blockTypes) as [BlockType]),
  ...nodeFields,
  meta: z.object({ id: z.string() }).optional(),
});
const inlineFields = z.object({
  object: z.literal('inline'),
  type: z.enum(Object.keys(inlineTypes) as [InlineType]),
  ...nodeFields,
});
const fragmentFields = z.object({
  object: z.literal('fragment'),
  key: Key,
  fragment: z.string().optional(),
  type: z.string().optional(),
});

/** TypeScript cannot infer recursive unions, so these types are written by hand. */
export type DocumentText = z.infer<typeof Text>;
export type DocumentNode = DocumentBlock | DocumentInline | DocumentText;
export type DocumentBlock = z.infer<typeof blockFields> & Children;
export type DocumentInline = z.infer<typeof inlineFields> & Children;
export type DocumentFragment = z.infer<typeof fragmentFields> & { nodes: DocumentNode[] };
type Children = { nodes?: DocumentNode[] | undefined; fragments?: DocumentFragment[] | undefined };

const children = {
  get nodes(): z.ZodOptional<z.ZodType<DocumentNode[], DocumentNode[]>> {
    return z.array(Node).optional();
  },
  get fragments(): z.ZodOptional<z.ZodType<DocumentFragment[], DocumentFragment[]>> {
    return z.array(Fragment).optional();
  },
};
export const DocumentBlock = blockFields.extend(children).meta({ id: 'DocumentBlock' });
const Inline = inlineFields.extend(children).meta({ id: 'DocumentInline' });
const Node = z.discriminatedUnion('object', [DocumentBlock, Inline, Text]).meta({ id: 'DocumentNode' });
const Fragment = fragmentFields
  .extend({
    get nodes(): z.ZodType<DocumentNode[], DocumentNode[]> {
      return z.array(Node);
    },
  })
  .meta({ id: 'DocumentFragment' });
