/** Reads specifications of Swagger 2.0 and OpenAPI 3.0 to 3.2: one document, its index and its faults. */
export type {
  Finding,
  IndexedOperation,
  IndexedTag,
  IndexedWebhook,
  LoadFile,
  ReadLimits,
  SpecificationFile,
  SpecificationIndex,
  SpecificationRead,
} from './face.ts';
export { FileRefused } from './face.ts';
export { judgeCompatibility } from './judgeCompatibility.ts';
export { standardLimits } from './limits.ts';
export { lintSpecification } from './lintSpecification.ts';
export { prepareValidators } from './check/validators.ts';
export { readSpecification } from './readSpecification.ts';
export { toYaml } from './toYaml.ts';
