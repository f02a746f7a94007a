/** OpenAPI specifications, as far as pages show them. Nobody checked the form of what is read here. */
export { findOperation, findSchemas, type OpenapiBlock } from './blockTargets.ts';
export { factsOf } from './schemaFacts.ts';
export {
  isPart,
  listIn,
  membersIn,
  readSpecification,
  textIn,
  type Part,
  type Specification,
} from './specification.ts';
