import type { SiteCustomization } from '@bindery/contract';

/** The names by which the style sheet knows what a customization chose; defaults have none. */
export function styleNames({ styling, header }: SiteCustomization): string {
  const { theme, sidebar, links, depth, search } = styling;
  return [
    theme !== 'clean' && theme,
    sidebar.background === 'filled' && 'filled',
    sidebar.list !== 'default' && sidebar.list,
    links === 'accent' && 'accent',
    depth === 'subtle' && 'raised',
    search === 'subtle' && 'small-search',
    header.preset === 'none' && 'no-header',
  ]
    .filter(Boolean)
    .join(' ');
}
