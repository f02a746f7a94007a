/** OpenAPI specifications, as far as pages show them. Nobody checked the form of what is read here. */
export { hasPart, partsOfBlock, type SpecPart } from './blockParts.ts';
export { findOperation, findSchemas, type FoundOperation, type OpenapiBlock } from './blockTargets.ts';
export { describeBlock, namedBlock } from './describeBlock.ts';
export { blocksOfDescription } from './descriptions.ts';
export { contentOfPage, type PageContent } from './documents.ts';
export { excerptOf } from './excerpt.ts';
export { outlineOf, type SpecificationOutline } from './outline.ts';
export { pagesOf, type PagesOptions, type SpecificationPage } from './pages.ts';
export { sectionsIn, type PageSection } from './pageSections.ts';
export { openapiBlocksIn, replaceOpenapiBlocks } from './replaceBlocks.ts';
export { englishFacts, factsOf, type FactWords } from './schemaFacts.ts';
export {
  isPart,
  listIn,
  membersIn,
  readSpecification,
  textIn,
  type Part,
  type Specification,
} from './specification.ts';
export { openSpecification, type SpecificationFile } from './specificationFile.ts';
