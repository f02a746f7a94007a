/** What a node refers to: a content reference, or a target as it was written that nobody has resolved. */
export type Reference = Record<string, unknown> & { kind?: unknown };

/** The target that is written for a reference; undefined leaves it to the form that is understood everywhere. */
export type TargetOf = (ref: Reference) => string | undefined;

/** The form of a reference that does not depend on where it stands: `/pages/<id>`, `/files/<id>`, ... */
export function stableTarget(ref: Reference): string {
  const id = (name: string) => (typeof ref[name] === 'string' ? ref[name] : '');
  const space = id('space');
  const inSpace = (path: string) => (space === '' || ref.kind === 'space' ? path : `/spaces/${space}${path}`);
  switch (ref.kind) {
    case 'target':
      return id('target');
    case 'url':
      return id('url');
    case 'page':
      return inSpace(`/pages/${id('page')}`);
    case 'anchor':
      return `${id('page') === '' ? inSpace('') : inSpace(`/pages/${id('page')}`)}#${id('anchor')}`;
    case 'file':
      return inSpace(`/files/${id('file')}`);
    case 'reusable-content':
      return inSpace(`/reusable-contents/${id('reusableContent')}`);
    case 'tag':
      return inSpace(`/tags/${id('tag')}`);
    case 'openapi':
      return `/openapi/${id('spec')}`;
    default:
      return `/${String(ref.kind)}s/${id(String(ref.kind))}`;
  }
}

/** What is shown for a target where nothing else is given: the last part of its path, as GitBook does it. */
export function nameOfTarget(target: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target;
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
