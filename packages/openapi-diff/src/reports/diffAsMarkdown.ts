import { code } from '../rules/code.ts';
import type { SpecificationDiff } from '../specificationDiff.ts';
import { countsInWords, incompleteRemark, sectionsOf, type ReportGroup } from './groups.ts';

/**
 * A diff as Markdown (CommonMark), breaking changes first. Names and values from the documents stand in code
 * spans, so they cannot become markup.
 *
 * @param title  plain text
 */
export function diffAsMarkdown(diff: SpecificationDiff, { title }: { title: string }): string {
  const sections = sectionsOf(diff).map(({ title: heading, groups }) =>
    [`## ${heading}`, ...groups.map(groupText)].join('\n\n'),
  );
  const remark = diff.isComplete ? [] : [incompleteRemark];
  return `${[`# ${escaped(title)}`, `${countsInWords(diff)}.`, ...remark, ...sections].join('\n\n')}\n`;
}

function groupText({ operations, more, changes }: ReportGroup): string {
  const names = operations.map(code).join(', ');
  const named = more > 0 ? `${names} and ${more} more` : names;
  const heading = operations.length === 0 ? 'The whole API' : named;
  const lines = changes.map(({ message, rule }) => `- ${outsideCode(message, escaped)} (\`${rule}\`)`);
  return `### ${heading}\n\n${lines.join('\n')}`;
}

/** Applies a function to the text of a message that is not in code spans. */
function outsideCode(message: string, change: (text: string) => string): string {
  return message
    .split('`')
    .map((part, index) => (index % 2 === 0 ? change(part) : `\`${part}\``))
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>()#+!|~&]/g, String.raw`\$&`);
}
