import { pageFields } from '../../packages/dialect/src/repository-format/pageFields.ts';
import type { PlannedPage } from '../../packages/dialect/src/repository-format/pagePlan.ts';
import type { LinkTarget } from '../../packages/dialect/src/repository-format/types.ts';
import type { NavigationPage, NavigationTarget } from '../../packages/content/src/export/types.ts';

/**
 * Builds the SUMMARY.md that an export of unchanged content must write, from the importer's reading.
 * `headings` are those of the files with one.
 */
export function wantedNavigation(
  planned: readonly PlannedPage[],
  headings: ReadonlyMap<string, string>,
): NavigationPage[] {
  return planned.map((page): NavigationPage => {
    switch (page.kind) {
      case 'group':
      case 'empty':
        return { kind: page.kind, title: page.title, pages: wantedNavigation(page.children, headings) };
      case 'link': {
        const { title, linkTitle, target } = page;
        return {
          kind: 'link',
          title,
          ...(linkTitle !== undefined && { linkTitle }),
          target: wantedTarget(target),
        };
      }
      case 'computed':
        return { kind: 'computed', title: page.title, computed: page.computed };
      case 'file': {
        const { path } = page.entry;
        const { label, linkTitle } = page;
        const h1 = headings.get(path);
        const fields = pageFields(
          {
            path,
            oid: '',
            ...(label !== undefined && { label }),
            ...(linkTitle !== undefined && { linkTitle }),
          },
          { version: 0, ...(h1 !== undefined && { h1 }) },
        );
        return {
          kind: 'page',
          file: path,
          title: fields.title,
          ...(fields.linkTitle !== undefined && { linkTitle: fields.linkTitle }),
          hasHeading: h1 !== undefined,
          pages: wantedNavigation(page.children, headings),
        };
      }
    }
  });
}

/** The target of a page in another space is that space. */
function wantedTarget(target: LinkTarget): NavigationTarget {
  switch (target.kind) {
    case 'url':
      return target;
    case 'space':
      return { kind: 'url', url: `https://app.gitbook.com/s/${target.space}` };
    case 'git-file':
      return { kind: 'file', path: target.path };
    case 'git-page':
      return {
        kind: 'file',
        path: target.path,
        ...(target.anchor !== undefined && { anchor: target.anchor }),
      };
  }
}
