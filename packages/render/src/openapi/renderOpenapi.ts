import type { Html, RenderContext } from '@bindery/dialect';

type Described = { type: string; data: Record<string, unknown>; context: RenderContext };

/** Describes an operation, schemas or a webhook; undefined for one that the specification does not have. */
export function renderOpenapi(_document: object, _described: Described): Html | undefined {
  return undefined;
}
