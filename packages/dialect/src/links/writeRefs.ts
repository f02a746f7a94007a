import { schemeOf } from '@bindery/contract/linkTarget';
import { writeStableTarget } from './stableTarget.ts';
import type { ContentReference } from './contentReference.ts';

/** What a node refers to: a content reference, or a target as it was written that nobody has resolved. */
export type Reference = Record<string, unknown> & { kind?: unknown };

/** The target that is written for a reference; undefined leaves it to the form that is understood everywhere. */
export type TargetOf = (ref: Reference) => string | undefined;

/** The form of a reference that does not depend on where it stands: `/pages/<id>`, `/files/<id>`, ... */
export function stableTarget(ref: Reference): string {
  const named = (name: string) => (typeof ref[name] === 'string' ? ref[name] : '');
  if (ref.kind === 'target') return named('target');
  if (ref.kind === 'openapi') return `/openapi/${named('spec')}`;
  if (ref.kind === 'tag') return `${named('space') && `/spaces/${named('space')}`}/tags/${named('tag')}`;
  return writeStableTarget(ref as ContentReference);
}

/** What is shown for a target where nothing else is given: the last part of its path, as GitBook does it. */
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

/** What a reference is called by its author; undefined where it has the name that it is given anyway. */
export function ownLabel(label: string | undefined, target: string): string | undefined {
  const words = label?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return words === '' || words === target || words === nameOfTarget(target) ? undefined : words;
}
