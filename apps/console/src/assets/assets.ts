import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { constants } from 'node:zlib';
import { screenStyleSheet, styleSheet, writeMathStyleSheet } from '@bindery/render';
import { encodedText } from '@bindery/runtime';
import type { Answer } from '../http/answer.ts';

type Asset = { path: string; answer: Answer };

const css = 'text/css; charset=utf-8';
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Those of formulas. */
const fonts: Asset[] = [];
const mathStyle = writeMathStyleSheet((font) => {
  const asset = assetOf(basename(font.pathname), { body: readFileSync(font), contentType: 'font/woff2' });
  fonts.push(asset);
  return asset.path;
});

const files = {
  style: assetOf('style.css', { body: read('style.css'), contentType: css }),
  /** Of pages as sites show them. */
  pageStyle: assetOf('page.css', {
    body: styleSheet + screenStyleSheet + read('page.css'),
    contentType: css,
  }),
  mathStyle: assetOf('math.css', { body: mathStyle, contentType: css }),
  job: scriptOf('scripts/job.js'),
  editor: scriptOf('scripts/editor.js'),
};

/** Paths of the style sheets and the scripts. They change with the content. */
export const assetPaths = {
  style: files.style.path,
  pageStyle: files.pageStyle.path,
  mathStyle: files.mathStyle.path,
  job: files.job.path,
  editor: files.editor.path,
} as const;

const byPath = new Map([...Object.values(files), ...fonts].map(({ path, answer }) => [path, answer]));

/** The file at a path; undefined for other paths. */
export function findAsset(pathname: string): Answer | undefined {
  return byPath.get(pathname);
}

function scriptOf(name: string): Asset {
  return assetOf(name, { body: read(name), contentType: 'text/javascript; charset=utf-8' });
}

function assetOf(
  name: string,
  { body, contentType }: { body: string | Uint8Array; contentType: string },
): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  const quality = constants.BROTLI_MAX_QUALITY;
  return {
    path: `/assets/${hash}/${name}`,
    answer: {
      status: 200,
      contentType,
      body: typeof body === 'string' ? encodedText(body, { quality }) : body,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    },
  };
}
