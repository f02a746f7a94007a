import type { ContentReference } from './contentReference.ts';

/** The use of a reference on a page, which limits its possible targets. */
export type LinkUse = 'link' | 'image' | 'file' | 'reusable-content' | 'content-ref' | 'openapi';

/** Resolves a target as written on a page; undefined for one without a meaning. */
export type Resolve = (target: string, use: LinkUse) => ContentReference | undefined;
