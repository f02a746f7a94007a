/** A fault of a specification, or a remark on it. */
export type Finding = {
  severity: 'error' | 'warning' | 'info';
  /** The name of the rule in kebab case, such as `missing-reference`. */
  rule: string;
  message: string;
  /** The URL of the file, without a login. */
  file: string;
  /** JSON pointer to the place in that file; empty for the whole document. */
  pointer: string;
  /** Counted from 1. For a member of an object, the place of its key. */
  line: number;
  column: number;
};

/**
 * Fetches another file of the specification: the bytes, and the URL after redirects.
 *
 * @throws FileRefused  when the file cannot be had; its message goes into a finding
 */
export type LoadFile = (url: string) => Promise<{ url: string; bytes: Uint8Array }>;

/** A file that a specification refers to cannot be had. The message is shown to the author. */
export class FileRefused extends Error {
  override name = 'FileRefused';
}

export type ReadLimits = {
  /** Of one file. */
  fileBytes: number;
  /** Of all files together. */
  totalBytes: number;
  files: number;
  /** Of objects and lists in each other. */
  depth: number;
  /** Of YAML, in one file. */
  aliases: number;
  /** Values of one file; a value counts once for each alias that leads to it. */
  nodes: number;
  /** Findings that are kept; all are counted. */
  findings: number;
};

export type SpecificationFile = { url: string; bytes: Uint8Array };

export type SpecificationRead =
  | { isUsable: false; findings: Finding[]; findingCount: number }
  | {
      isUsable: true;
      format: 'json' | 'yaml';
      /** The version as understood, such as `2.0` or `3.0.3`. */
      openapi: string;
      /** JSON text of one document in the source's own version of OpenAPI. */
      bundle: string;
      /** SHA-256 of the bundle in hexadecimal; white space and comments do not count. */
      contentHash: string;
      /** JSON text of OpenAPI 3.x with rendered and sanitized descriptions; GitBook's reader shows it. */
      reader: string;
      index: SpecificationIndex;
      /** The sources as they came, the entry first. */
      files: SpecificationFile[];
      findings: Finding[];
      findingCount: number;
    };

export type SpecificationIndex = {
  title: string;
  version: string;
  /** Declared tags in their order, then the others that operations use. */
  tags: IndexedTag[];
  operations: IndexedOperation[];
  webhooks: IndexedWebhook[];
  /** Names of the schemas in `components.schemas` or `definitions`. */
  schemas: string[];
};

export type IndexedTag = { name: string; description?: string; parent?: string; isDeclared: boolean };

export type IndexedOperation = {
  /** In lower case; a method of `additionalOperations` as it is written. */
  method: string;
  path: string;
  operationId?: string;
  tags: string[];
  summary?: string;
  deprecated: boolean;
};

export type IndexedWebhook = {
  name: string;
  method: string;
  operationId?: string;
  tags: string[];
  summary?: string;
  deprecated: boolean;
};
