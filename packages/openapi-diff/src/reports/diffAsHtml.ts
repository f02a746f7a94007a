import type { SpecificationDiff } from '../specificationDiff.ts';
import {
  countsInWords,
  incompleteRemark,
  sectionsOf,
  type ReportGroup,
  type ReportSection,
} from './groups.ts';

/**
 * A diff as an HTML page without scripts and styles, breaking changes first. All texts are escaped.
 *
 * @param title  plain text
 */
export function diffAsHtml(diff: SpecificationDiff, { title }: { title: string }): string {
  const remark = diff.isComplete ? '' : `<p>${incompleteRemark}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${countsInWords(diff)}.</p>
${remark}${sectionsOf(diff).map(sectionHtml).join('\n')}
</main>
</body>
</html>
`;
}

function sectionHtml({ severity, title, groups }: ReportSection): string {
  return `<section class="${severity}" aria-labelledby="${severity}">
<h2 id="${severity}">${title}</h2>
${groups.map(groupHtml).join('\n')}
</section>`;
}

function groupHtml({ operations, more, changes }: ReportGroup): string {
  const names = operations.map((name) => `<code>${escaped(name)}</code>`).join(', ');
  const named = more > 0 ? `${names} and ${more} more` : names;
  const heading = operations.length === 0 ? 'The whole API' : named;
  const rows = changes.map(
    ({ message, rule }) => `<li>${messageHtml(message)} <small><code>${escaped(rule)}</code></small></li>`,
  );
  return `<h3>${heading}</h3>\n<ul>\n${rows.join('\n')}\n</ul>`;
}

/** A message, of which backticks enclose code. */
function messageHtml(message: string): string {
  return message
    .split('`')
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`))
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
