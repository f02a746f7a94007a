import type { SiteCustomization } from '@bindery/contract';
import { below } from '../page/sitePaths.ts';
import { fontFilesOf } from './fontFiles.ts';
import type { FontName } from './namedFonts.ts';
import { writeStandIn } from './standIn.ts';

type Styling = SiteCustomization['styling'];
type OwnFont = Exclude<Styling['font' | 'monospaceFont'], string>;

/** Faces and families of a site as CSS. `preload`: the path of the file that nearly all its pages need. */
export type SiteFonts = { style: string; preload: string | undefined; urls: readonly string[] };

type Written = { faces: string; family: string; first?: string | undefined; urls: readonly string[] };

/**
 * The fonts that a customization chose: those with a name come from this site, those of the customization
 * itself from `urls`, which a policy must permit.
 *
 * @param site  the path of the site
 * @param isPermitted  whether a policy can permit a URL; a font is not shown from others
 */
export async function siteFontsOf(
  { font, headingFont, monospaceFont }: Styling,
  { site, isPermitted }: { site: string; isPermitted: (url: string) => boolean },
): Promise<SiteFonts> {
  const write = async (chosen: Styling['font'] | Styling['monospaceFont']) =>
    typeof chosen === 'string' ? writeNamed(chosen, site) : writeOwn(chosen, isPermitted);
  const [text, code] = await Promise.all([write(font), write(monospaceFont)]);
  const heading = headingFont ? await write(headingFont) : text;
  const faces = new Set([text, code, heading].map((written) => written.faces));
  const families =
    `--text-family:${text.family};--heading-family:${heading.family};` + `--code-family:${code.family}`;
  return {
    style: `${[...faces].join('')}:root{${families}}`,
    preload: text.first,
    urls: [text, code, heading].flatMap((written) => written.urls),
  };
}

async function writeNamed(name: FontName, site: string): Promise<Written> {
  const { font, files } = await fontFilesOf(name);
  const pathOf = (file: string) => below(site, `~/assets/fonts/${name}/${file}`);
  const faces = files.map(
    (file) =>
      `@font-face{font-family:${name};font-style:${file.style};font-weight:${file.weight};font-display:swap;` +
      `src:url(${cssString(pathOf(file.name))})format("woff2");unicode-range:${file.range}}`,
  );
  const first = files.find((file) => /-latin-(?:400|wght)-normal-/.test(file.name));
  return {
    faces: faces.join('') + writeStandIn(`"${name} stand-in"`, font),
    family: `${name},"${name} stand-in"`,
    first: first && pathOf(first.name),
    urls: [],
  };
}

/** A font that its site brings along. Its host must send it to other origins (CORS). */
function writeOwn({ fontFamily, fontFaces }: OwnFont, isPermitted: (url: string) => boolean): Written {
  const shown = fontFaces.flatMap(({ weight, sources }) => {
    const usable = sources.filter(({ url }) => isPermitted(url));
    return usable.length > 0 ? [{ weight, sources: usable }] : [];
  });
  const family = cssString(fontFamily);
  const sourceOf = ({ url, format }: OwnFont['fontFaces'][number]['sources'][number]) =>
    `url(${cssString(url)})${format === undefined ? '' : `format("${format}")`}`;
  const faces = shown.map(
    ({ weight, sources }) =>
      `@font-face{font-family:${family};font-weight:${weight};font-display:swap;` +
      `src:${sources.map(sourceOf).join(',')}}`,
  );
  const urls = shown.flatMap(({ sources }) => sources.map(({ url }) => url));
  return { faces: faces.join(''), family, urls };
}

/** A text as a string of CSS: without characters that could end it, or the element `style` around it. */
function cssString(text: string): string {
  const safe = text.replaceAll(/[^\w .:/?&=%+~#@,-]/gu, (character) => {
    return `\\${character.codePointAt(0)?.toString(16)} `;
  });
  return `"${safe}"`;
}
