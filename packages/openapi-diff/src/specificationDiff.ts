/** A breaking change makes a client fail that followed the document before; a warning may do so. */
export type Severity = 'breaking' | 'warning' | 'info';

/** The side that a schema describes: values that clients send, or values that clients receive. */
export type Direction = 'request' | 'response';

/** An operation that a change affects. A webhook has its name as `path`. */
export type Operation = { method: string; path: string };

/** The part of the API that a change is about; `name` is a parameter, header, or path of property names. */
export type Place = {
  part:
    | 'operation'
    | 'parameter'
    | 'body'
    | 'response'
    | 'header'
    | 'property'
    | 'schema'
    | 'security'
    | 'server';
  name?: string;
  /** The named schema that the part belongs to, when several operations can share it. */
  schema?: string;
};

/** One difference between two specifications. */
export type Change = {
  /** An id of `rules`. */
  rule: string;
  severity: Severity;
  direction?: Direction;
  place: Place;
  /** JSON pointers into the two documents; absent on the side that has no such part. */
  pointer: { before?: string; after?: string };
  /** The first `maxOperationsOfChange` operations that reach this place, in the order of the document. */
  operations: Operation[];
  /** Number of all operations that reach this place. */
  operationCount: number;
  /** One sentence of plain text; backticks enclose names and values. */
  message: string;
};

/** All differences between two specifications, breaking ones first. It can be stored as JSON. */
export type SpecificationDiff = {
  changes: Change[];
  counts: Record<Severity, number>;
  /** False when the documents differ in more places than are compared or reported; see `limits`. */
  isComplete: boolean;
};
