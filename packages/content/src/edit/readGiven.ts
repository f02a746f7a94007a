import { splitTitle } from '@bindery/dialect/syntax';
import { conditionProblem } from '@bindery/dialect';
import {
  maxKeys,
  readFrontmatter,
  tooManyKeys,
  splitFrontmatter,
  yamlOfFrontmatter,
  type PageFrontmatter,
  readYaml,
} from '@bindery/dialect/frontmatter';
import { contentLimits } from '@bindery/dialect/repository-format';
import { keysOf } from './mergeFrontmatter.ts';

/** The parsed Markdown that a caller gave for a page. */
export type GivenMarkdown = {
  frontmatter: Uint8Array;
  /** The metadata of the frontmatter, and the keys that it names, including those without a value. */
  metadata: PageFrontmatter;
  keys: ReadonlySet<string>;
  body: string;
  /** The text of the level 1 heading at the start of the body. */
  title?: string;
};

/**
 * Reads a given text, without byte order marks at its beginning: programs write them, and nobody sees them.
 *
 * @returns `problem`, the rest of a sentence, when the frontmatter cannot be read or contains an invalid
 *   condition
 */
export function readGivenMarkdown(markdown: string): GivenMarkdown | { problem: string } {
  const whole = Buffer.from(markdown.replace(/^\uFEFF+/, ''));
  const { frontmatter, body } = splitFrontmatter(whole);
  const yaml = yamlOfFrontmatter(frontmatter);
  const reading = readYaml(yaml, contentLimits.yamlBytes);
  if ('problem' in reading) return { problem: `has frontmatter that cannot be read: ${reading.problem}.` };
  // Two dividers with a text between them are not frontmatter.
  const isFrontmatter = reading.value.kind === 'map';
  const isBlank = yaml.length === 0 || new TextDecoder().decode(yaml).trim() === '';
  const text = (isFrontmatter || isBlank ? Buffer.from(body) : whole).toString();
  const { title } = splitTitle(text);
  const parts = { body: text, title: title?.trim() ? title : undefined };
  if (reading.value.kind !== 'map')
    return { frontmatter: new Uint8Array(), metadata: {}, keys: new Set(), ...parts };
  if (reading.value.members.size > maxKeys)
    return { problem: `has frontmatter that cannot be read: ${tooManyKeys}.` };
  const { frontmatter: metadata } = readFrontmatter(yaml, contentLimits.yamlBytes);
  const problem = metadata.condition === undefined ? undefined : conditionProblem(metadata.condition);
  if (problem) return { problem: `has frontmatter whose key \`if\` ${problem}` };
  return { frontmatter, metadata, keys: keysOf(frontmatter), ...parts };
}
