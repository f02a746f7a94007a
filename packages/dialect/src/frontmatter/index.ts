/** The frontmatter of a page: split off, read, and validated. Light: see `../index.ts`. */
export { maxKeys, readFrontmatter, tooManyKeys } from './frontmatter.ts';
export type { PageFrontmatter, PageLayout, PageTag, Variable } from './frontmatterFields.ts';
export { type PageSource, splitFrontmatter, yamlOfFrontmatter } from './splitFrontmatter.ts';
export { parseYamlOnce, readYaml } from './yaml.ts';
