import type { RenderContext } from '@bindery/dialect';
import type { FoundOperation, Part, Specification } from '@bindery/dialect/openapi';

/** Reads the specification that is described, and renders what it finds. */
export type Describing = { specification: Specification; context: RenderContext };

/** An operation in its specification, or the request of a webhook. */
export type Operation = FoundOperation & { document: Part; isWebhook: boolean };
