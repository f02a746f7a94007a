import { extractTargets, mayNameFile } from '../links/extractTargets.ts';
import { readFrontmatter } from '../frontmatter/frontmatter.ts';
import { markdownReader } from '../syntax/commonMark.ts';
import { splitFrontmatter, yamlOfFrontmatter } from '../frontmatter/splitFrontmatter.ts';
import { splitTitle } from '../syntax/splitTitle.ts';
import { contentLimits, type ContentLimits } from '../contentLimits.ts';
import type { PageFacts } from './types.ts';
import type { PageProblem } from '../contentWarnings.ts';

/**
 * Must be raised when a scan returns something else for the same bytes; facts of another version are not
 * used.
 */
export const pageFactsVersion = 3;

/** Far more than any page has; limits the facts of a page. */
const maxTargets = 5_000;

/**
 * Reads the facts that an import needs of a Markdown file: title, frontmatter, and the targets that may be
 * files.
 *
 * Linear in the file's size and never throws. Most pages are not parsed: only if a target may be in code are
 * the blocks of the page parsed (inline markup never is).
 */
export function scanPage(
  file: Uint8Array,
  limits: Pick<ContentLimits, 'scannedBytes' | 'yamlBytes'> = contentLimits,
): PageFacts {
  const facts: PageFacts = { version: pageFactsVersion };
  const problems: PageProblem[] = [];
  const { frontmatter, body } = splitFrontmatter(file);

  const yaml = yamlOfFrontmatter(frontmatter);
  if (yaml.length > 0) {
    const read = readFrontmatter(yaml, limits.yamlBytes);
    if (Object.keys(read.frontmatter).length > 0) facts.frontmatter = read.frontmatter;
    problems.push(...read.problems);
  }
  if (body.length > limits.scannedBytes) {
    problems.push({
      code: 'page_size',
      message: `The page is larger than ${limits.scannedBytes} bytes: its heading and its images are not read.`,
    });
  } else {
    const { h1, targets } = scanBody(new TextDecoder().decode(body));
    if (h1) facts.h1 = h1;
    if (targets.size > 0) facts.targets = [...targets].slice(0, maxTargets);
    if (targets.size > maxTargets)
      problems.push({
        code: 'page_targets',
        message: `The page links to more than ${maxTargets} files; the others are not imported.`,
      });
  }
  if (problems.length > 0) facts.problems = problems;
  return facts;
}

const reader = markdownReader(100);

function scanBody(body: string): { h1: string | undefined; targets: Set<string> } {
  const targets = new Set<string>();
  let isSure = true;
  for (const target of candidates(body)) {
    // All files in that folder are imported anyway, so it does not matter whether this target is in code.
    if (target.includes('.gitbook/assets/')) targets.add(target);
    else isSure = false;
  }
  if (!isSure) for (const target of targetsOutsideCode(reader.blocks(body))) targets.add(target);
  return { h1: splitTitle(body).title, targets };
}

function* candidates(text: string): Iterable<string> {
  for (const target of extractTargets(text)) if (mayNameFile(target)) yield target;
  // Definitions of references. A false match only costs a closer look.
  for (const [, target = ''] of text.matchAll(/\]:[ \t]{0,9}\n?[ \t]{0,9}<?([^\s<>]{1,500})/g))
    if (mayNameFile(target)) yield target;
}

function* targetsOutsideCode({ tokens, env }: ReturnType<typeof reader.blocks>): Iterable<string> {
  for (const { type, content } of tokens) {
    if (type !== 'inline' && type !== 'html_block') continue;
    const text = type === 'inline' ? withoutCodeSpans(content) : content;
    for (const target of extractTargets(text)) if (mayNameFile(target)) yield target;
  }
  for (const { href } of Object.values(env.references ?? {})) if (mayNameFile(href)) yield href;
}

/** Blanks code spans: from a run of backticks to the next run of the same length. */
function withoutCodeSpans(content: string): string {
  if (!content.includes('`')) return content;
  const runs = [...content.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ start: index, length }));
  const nextOfLength = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index] as (typeof runs)[number];
    closing[index] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, index);
  }
  let text = '';
  let position = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const opener = runs[index] as (typeof runs)[number];
    const close = runs[closing[index] ?? -1];
    if (!close || isEscaped(content, opener.start)) continue;
    text += `${content.slice(position, opener.start)} `;
    position = close.start + close.length;
    index = closing[index] as number;
  }
  return text + content.slice(position);
}

function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === '\\') start -= 1;
  return (position - start) % 2 === 1;
}
