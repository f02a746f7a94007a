import { html, trusted, type Value } from '@bindery/html';
import { iconPath, type IconStyle } from './iconPaths.ts';

/** The icons of one page. Each path is in the page once, however often it is shown. */
export type PageIcons = {
  /** Shows an icon by its name; nothing for a name without one, and for one too many. */
  write(name: string | undefined): Value;
  /** The paths of the icons that were written until now. */
  writePaths(): Value;
};

/** About 250 bytes each on the wire, of the 25 kB that a page should have at most. */
const mostIcons = 40;

/** Their licence (CC BY 4.0) wants to be named. */
const attribution = trusted(
  '<!-- Icons: Font Awesome Free by Fonticons, Inc., CC BY 4.0, https://fontawesome.com/license/free -->',
);

export function createPageIcons(style: IconStyle): PageIcons {
  const paths = new Map<string, string>();
  return {
    write(written) {
      const name = written?.replace(/^fa-/, '');
      const path = name === undefined ? undefined : iconPath(name, style);
      if (name === undefined || path === undefined) return null;
      if (!paths.has(name) && paths.size >= mostIcons) return null;
      paths.set(name, path);
      return html`<svg class="glyph" aria-hidden="true"><use href="#~icon-${name}"/></svg>`;
    },
    writePaths() {
      if (paths.size === 0) return null;
      const symbols = [...paths].map(
        ([name, path]) => html`<symbol id="~icon-${name}" viewBox="0 0 640 640"><path d="${path}"/></symbol>`,
      );
      return html`${attribution}<svg class="glyphs" aria-hidden="true">${symbols}</svg>`;
    },
  };
}
