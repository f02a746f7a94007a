import type { ContentReference } from './contentReference.ts';

/** How a page uses what it refers to: that decides what a target may be. */
export type LinkUse = 'link' | 'image' | 'file' | 'reusable-content' | 'content-ref' | 'openapi';

/** What a target means, as it is written in a page; undefined for one that leads nowhere. */
export type Resolve = (target: string, use: LinkUse) => ContentReference | undefined;
