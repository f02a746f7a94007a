import type { OpenAPISettings } from '@bindery/contract';
import type { Finding } from '@bindery/openapi';
import type { OutboundSettings } from '@bindery/outbound';

/** How a server names the state of a document. */
export type Validators = { etag?: string; lastModified?: string };

export type SpecLogin = { username: string; password: string };

/** The place of a specification: a URL, or a file that the worker has lent to the child. */
export type SpecSource =
  | { url: string; login?: SpecLogin | undefined; validators?: Validators | undefined }
  | { text: string }
  | { archive: string; entry?: string | undefined };

/** The request to the reading process, sent only through its channel. */
export type SpecRequest = {
  source: SpecSource;
  outbound: OutboundSettings;
  /** Time limit for one file. */
  fetchTimeoutMs: number;
  /** The folder into which it writes the documents of a usable specification. */
  folder: string;
  /** The compiled schemas of all versions of OpenAPI (`prepareValidators`). */
  validatorFolder: string;
};

/** Whether the process waits for other servers, or works by itself. */
export type SpecEvent = { kind: 'fetches' } | { kind: 'reads' };

/** Names of the files that the process writes. `others` exists only for several source files. */
export const documentNames = [
  'document',
  'others',
  'bundle',
  'yaml',
  'filesystem',
  'index',
  'findings',
] as const;
export type DocumentName = (typeof documentNames)[number];

/** Everything about a usable specification that is not in the written files. */
export type UsableSpec = {
  kind: 'usable';
  format: 'json' | 'yaml';
  openapi: string;
  title: string;
  version: string;
  contentHash: string;
  counts: { operations: number; webhooks: number; schemas: number };
  findingCount: number;
  /** The number of files besides the entry. */
  otherFiles: number;
  validators?: Validators;
};

export type SpecReading =
  | UsableSpec
  /** The server says that the document is the one that `validators` name. */
  | { kind: 'unmodified' }
  | { kind: 'unusable'; findings: Pick<Finding, 'rule' | 'message'>[]; findingCount: number };

/** Documents of published versions, as files that the worker has lent to the process. */
export type ReviewRequest = {
  /** The form for readers of the version before, if there is one. */
  before?: string;
  /** The form for readers of this version. */
  after: string;
  bundle: string;
  /** Those of the organization. */
  settings: OpenAPISettings | undefined;
  /** The folder into which it writes `lint`. */
  folder: string;
};

export type Review = {
  changes?: { breaking: number; warning: number; info: number };
  lintCount: number;
};

export type Verdict = { isAccepted: boolean; reason?: string };

/** The works of the process that reads a specification. */
export type SpecWorks = {
  read: { request: SpecRequest; event: SpecEvent; asks: object; result: SpecReading };
  review: { request: ReviewRequest; event: never; asks: object; result: Review };
  judge: { request: { bundle: string }; event: never; asks: object; result: Verdict };
};
