import { schemeOf } from '@bindery/contract/linkTarget';
import { writeStableTarget } from './stableTarget.ts';
import type { ContentReference } from './contentReference.ts';

/** The reference of a node: to content, or an unresolved target as written. */
export type Reference = Record<string, unknown> & { kind?: unknown };

/** Returns the written target of a reference; undefined for the general form. */
export type TargetOf = (ref: Reference) => string | undefined;

/** Writes a reference in the form that is independent of its source: `/pages/<id>`, `/files/<id>`, ... */
export function stableTarget(ref: Reference): string {
  const named = (name: string) => (typeof ref[name] === 'string' ? ref[name] : '');
  if (ref.kind === 'target') return named('target');
  if (ref.kind === 'openapi') return `/openapi/${named('spec')}`;
  if (ref.kind === 'tag') return `${named('space') && `/spaces/${named('space')}`}/tags/${named('tag')}`;
  return writeStableTarget(ref as ContentReference);
}

/** The default text of a target: the last segment of its path, as in GitBook. */
export function nameOfTarget(target: string): string {
  if (schemeOf(target) !== undefined) return target;
  const path = target.split(/[?#]/, 1)[0] ?? '';
  const name = path.split('/').findLast((part) => part !== '') ?? target;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The author's label of a reference; undefined if it equals the default text. */
export function ownLabel(label: string | undefined, target: string): string | undefined {
  const words = label?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return words === '' || words === target || words === nameOfTarget(target) ? undefined : words;
}
