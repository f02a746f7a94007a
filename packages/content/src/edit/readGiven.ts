import { splitTitle } from '../document/splitTitle.ts';
import { conditionProblem } from '../condition/parseCondition.ts';
import { readFrontmatter } from '../gitbook/frontmatter.ts';
import { splitFrontmatter, yamlOfFrontmatter } from '../gitbook/splitFrontmatter.ts';
import { contentLimits, type PageFrontmatter } from '../gitbook/types.ts';
import { readYaml } from '../gitbook/yaml.ts';
import { keysOf } from './mergeFrontmatter.ts';
import { refused } from './refuse.ts';

/** Markdown as a caller gave it for a page, taken apart. */
export type GivenMarkdown = {
  frontmatter: Uint8Array;
  /** What the frontmatter says, and the keys that it names, also those without a value. */
  metadata: PageFrontmatter;
  keys: ReadonlySet<string>;
  body: string;
  /** Of the heading of level 1 that the body begins with. */
  title?: string;
};

/** @throws invalid_request when the frontmatter cannot be read, or holds a condition that nobody could evaluate */
export function readGivenMarkdown(markdown: string, change: number): GivenMarkdown {
  const whole = Buffer.from(markdown);
  const { frontmatter, body } = splitFrontmatter(whole);
  const yaml = yamlOfFrontmatter(frontmatter);
  const reading = readYaml(yaml, contentLimits.yamlBytes);
  if ('problem' in reading) throw refused(change, 'document.markdown', `has frontmatter that cannot be read: ${reading.problem}.`);
  // Two dividers with a text between them are no frontmatter.
  const isFrontmatter = reading.value.kind === 'map';
  const isBlank = yaml.length === 0 || new TextDecoder().decode(yaml).trim() === '';
  const text = (isFrontmatter || isBlank ? Buffer.from(body) : whole).toString().replace(/^\uFEFF/, '');
  const { title } = splitTitle(text);
  const parts = { body: text, ...(title !== undefined && title.trim() !== '' && { title }) };
  if (!isFrontmatter) return { frontmatter: new Uint8Array(), metadata: {}, keys: new Set(), ...parts };
  const { frontmatter: metadata } = readFrontmatter(yaml, contentLimits.yamlBytes);
  const problem = metadata.condition === undefined ? undefined : conditionProblem(metadata.condition);
  if (problem) throw refused(change, 'document.markdown', `has frontmatter whose key \`if\` ${problem}`);
  return { frontmatter, metadata, keys: keysOf(frontmatter), ...parts };
}
