/** A reference in content, as the API shows it. */
export type ContentReference =
  | { kind: 'url'; url: string }
  | { kind: 'file'; file: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'space'; space: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string };

/** The permitted references of a cover. */
export type CoverReference = Extract<ContentReference, { kind: 'url' | 'file' }>;
