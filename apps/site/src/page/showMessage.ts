import { html, type Value } from '@bindery/html';
import { effectiveCustomization } from '@bindery/publishing';
import { answerOf, type Answer } from '../answer/answer.ts';
import { writeFrame } from '../frame/frame.ts';
import { lookOf, policyOf } from '../frame/look.ts';
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
  const customization = effectiveCustomization(visit.site, visit.siteSpace);
  const { style, policy } = lookOf(customization, { hasMath: false });
  const text = writeFrame({
    title,
    siteTitle: customization.title ?? visit.site.title,
    language: 'en',
    customization,
    paths,
    style,
    isIndexed: false,
    main: html`<article class="page"><h1>${title}</h1>${main}</article>`,
    query,
  });
  return answerOf(text, { contentType: htmlType, policy, status });
}

/** A page without a site: there is none at this URL, or none for this visitor. */
export async function showNothing({
  title,
  message,
  status,
}: {
  title: string;
  message: string;
  status: number;
}): Promise<Answer> {
  const text = html`<!doctype html>
<html lang="en">
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
