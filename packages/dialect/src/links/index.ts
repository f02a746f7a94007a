/**
 * Links as written: finds and replaces targets in Markdown, and reads and writes targets that name content by
 * its id. Light: see `../index.ts`.
 */
export type { ContentReference, CoverReference } from './contentReference.ts';
export { targetsIn } from './findTargets.ts';
export type { TargetUse } from './foundTarget.ts';
export { percentDecoded } from './percentDecoded.ts';
export type { LinkUse, Resolve } from './resolve.ts';
export { rewriteTargets, withoutUnsafeTargets } from './rewriteTargets.ts';
export { type StableTarget, readStableTarget, writeStableTarget } from './stableTarget.ts';
