import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { mathStyleSheet, printStyleSheet, styleSheet } from '@bindery/render';
import type { Answer } from '../answer/answer.ts';
import { below } from '../page/sitePaths.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Everything works without these. The first runs before the page is drawn, so that it does not flash. */
const scripts = ['theme', 'copyCode', 'tabs', 'outline', 'pageActions', 'search', 'prefetch'];

const css = 'text/css; charset=utf-8';
const files = {
  style: assetOf('style.css', {
    text: tightened(
      [styleSheet, read('style.css'), `@media print{${printStyleSheet}}`, read('print.css')].join(''),
    ),
    contentType: css,
  }),
  math: assetOf('math.css', { text: mathStyleSheet(), contentType: css }),
  script: assetOf('script.js', {
    text: scripts.map((name) => read(`scripts/${name}.js`)).join(''),
    contentType: 'text/javascript; charset=utf-8',
  }),
};
const byName = new Map(Object.values(files).map((file) => [file.name, file.answer]));

/** Paths of the style sheets and the script, below the path of a site. */
export function assetPaths(site: string): Record<keyof typeof files, string> {
  const path = ({ name }: { name: string }) => below(site, `~/assets/${name}`);
  return { style: path(files.style), math: path(files.math), script: path(files.script) };
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
  const plain = Buffer.from(text);
  const etag = hash('sha256', plain, 'base64url').slice(0, 16);
  const [stem, extension] = name.split('.');
  const answer = {
    status: 200,
    contentType,
    etag,
    plain,
    br: brotliCompressSync(plain),
    gzip: gzipSync(plain),
  };
  return { name: `${stem}-${etag}.${extension}`, answer };
}
