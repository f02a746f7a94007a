import type { Finding } from '../face.ts';
import type { Part } from '../source/parts.ts';
import type { OpenapiVersion } from '../version.ts';

/** The input of every check of a bundled document. */
export type CheckContext = {
  document: Part;
  version: OpenapiVersion;
  /** @param pointer  into the document */
  report(finding: Pick<Finding, 'severity' | 'rule' | 'message' | 'pointer'>): void;
};
