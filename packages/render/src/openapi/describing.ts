import type { RenderContext } from '@bindery/dialect';
import type { OpenapiWords } from '../words/words.ts';
import type { FoundOperation, Part, Specification } from '@bindery/dialect/openapi';

/** Reads the specification that is described, and renders what it finds, with labels in one language. */
export type Describing = { specification: Specification; context: RenderContext; words: OpenapiWords };

/** An operation in its specification, or the request of a webhook. */
export type Operation = FoundOperation & { document: Part; isWebhook: boolean };
