import { readFileSync } from 'node:fs';
import { constants } from 'node:zlib';
import { printStyleSheet, screenStyleSheet, styleSheet } from '@bindery/render';
import { answerOf, type Answer } from '../answer/answer.ts';
import { mathFaces, mathRules } from '../fonts/mathFonts.ts';
import { below } from '../page/sitePaths.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Everything works without these. The first runs before the page is drawn, so that it does not flash. */
const scripts = [
  ...[
    'theme',
    'header',
    'menus',
    'tabs',
    'outline',
    'copied',
    'copyCode',
    'pageActions',
    'search',
    'prefetch',
    'mathFonts',
  ],
];

const css = 'text/css; charset=utf-8';
const style = tightened(
  [
    styleSheet,
    screenStyleSheet,
    read('style.css'),
    `@media print{${printStyleSheet}}`,
    read('print.css'),
  ].join(''),
);
/** Pages with formulas have one larger style sheet: one request less. Their fonts come after the paint. */
const files = {
  style: assetOf('style.css', { text: style, contentType: css }),
  mathStyle: assetOf('math-style.css', { text: style + mathRules, contentType: css }),
  mathFonts: assetOf('math-fonts.css', { text: mathFaces, contentType: css }),
  script: assetOf('script.js', {
    text: scripts.map((name) => read(`scripts/${name}.js`)).join(''),
    contentType: 'text/javascript; charset=utf-8',
  }),
};
const byName = new Map(Object.values(files).map((file) => [file.name, file.answer]));

/** Paths of the style sheets and the script, below the path of a site. */
export function assetPaths(site: string): Record<keyof typeof files, string> {
  const path = ({ name }: { name: string }) => below(site, `~/assets/${name}`);
  return {
    style: path(files.style),
    mathStyle: path(files.mathStyle),
    mathFonts: path(files.mathFonts),
    script: path(files.script),
  };
}

/** The file at a path of any site; undefined for other paths. Their names have the hash of their content. */
export function findAsset(pathname: string): Answer | undefined {
  const at = pathname.indexOf('/~/assets/');
  return at < 0 ? undefined : byName.get(pathname.slice(at + '/~/assets/'.length));
}

/** A style sheet without comments and spaces. None of its strings has a brace or a semicolon. */
function tightened(text: string): string {
  const tight = text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([{};]) ?/g, '$1');
  // Not linear: the style sheets of the project, once at the start, 30 kB.
  return tight.replaceAll(/\/\*.*?\*\//g, '');
}

function assetOf(name: string, { text, contentType }: { text: string; contentType: string }) {
  const answer = answerOf(text, { contentType, quality: constants.BROTLI_MAX_QUALITY });
  // At the start and beside it, because that takes a third of a second. A failure comes up when it is sent.
  answer.bytesIn('br').catch(() => undefined);
  const [stem, extension] = name.split('.');
  return { name: `${stem}-${answer.etag}.${extension}`, answer };
}
