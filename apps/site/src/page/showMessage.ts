import type { IncomingMessage } from 'node:http';
import { html, type Value } from '@bindery/html';
import { directionOfLanguage, wordsOf } from '@bindery/render';
import { answerOf, type Answer } from '../answer/answer.ts';
import { customPartsOf } from '../frame/customParts.ts';
import { writeFrame } from '../frame/frame.ts';
import { lookOf, policyOf } from '../frame/look.ts';
import { siteWords } from '../visit/language.ts';
import { previewNote } from '../visit/previewNote.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import type { SitePaths } from './sitePaths.ts';

const htmlType = 'text/html; charset=utf-8';

/** A page in the frame of a site that is no page of its content, such as the results of a search. */
export async function showMessage(
  { visit }: Pick<OpenVisit, 'visit'>,
  {
    title,
    main,
    paths,
    query,
    status = 200,
  }: {
    title: string;
    main: Value;
    paths: SitePaths;
    query?: string;
    status?: number;
  },
): Promise<Answer> {
  const parts = await customPartsOf({ visit });
  const { policy, ...look } = await lookOf(parts.customization, { site: paths.site, hasMath: false });
  const text = writeFrame({
    ...parts,
    title,
    preview: previewNote({ visit }),
    direction: directionOfLanguage(parts.language),
    paths,
    ...look,
    isIndexed: false,
    main: html`<article class="page"><h1>${title}</h1>${main}</article>`,
    query,
  });
  return answerOf(text, { contentType: htmlType, policy, status });
}

/** There is no page at this address, or none for this visitor. */
export async function showNoPage({ visit }: Pick<OpenVisit, 'visit'>, paths: SitePaths): Promise<Answer> {
  const { noPage: title, noPageText: main } = siteWords({ visit });
  return showMessage({ visit }, { title, main, paths, status: 404 });
}

/**
 * A page without a site, in the language of the browser: there is none for this visitor, or none now, or the
 * visitor came with a token that no browser keeps.
 */
export async function showNothing(
  request: Pick<IncomingMessage, 'headers'>,
  { is, status }: { is: 'nothingHere' | 'notNow' | 'tokenTooLong'; status: number },
): Promise<Answer> {
  const words = wordsOf(...languagesIn(request.headers['accept-language']));
  const [title, message] = [words[is], words[`${is}Text`]];
  const text = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body><main><h1>${title}</h1><p>${message}</p></main></body>
</html>
`.toString();
  return answerOf(text, { contentType: htmlType, policy: policyOf([]), status });
}

/** The languages that a browser wants, the most wanted first; further ones than ten do not count. */
function languagesIn(header = ''): string[] {
  return header.split(',', 10).map((part) => part.split(';')[0]?.trim() ?? '');
}
