/** Any part of an OpenAPI document. */
export type Json = Record<string, unknown>;

export type OfficialPatch = {
  operations: string[];
  /** The difference, as docs/compatibility.md shows it. */
  difference: string;
  /** Changes the schemas shared by these operations. */
  patchDocument?: (document: Json) => void;
  /** Changes the declaration of each operation. */
  patchOperation?: (operation: Json) => void;
};

/**
 * The differences between the published documents and this platform, by operation.
 *
 * Each one changes the schema before an answer is checked; no answer is exempt. Any other difference is our
 * bug.
 */
export const officialPatches: OfficialPatch[] = [
  {
    operations: ['duplicateSpace', 'createOpenAPISpec', 'importContent', 'importContentInChangeRequest'],
    difference: 'answer 200 instead of 201, with the same body',
    patchOperation: (operation) => moveResponse(operation, '201', '200'),
  },
  {
    operations: ['applyTemplateToSpace'],
    difference: 'answers 204 instead of 201; neither has a body',
    patchOperation: (operation) => moveResponse(operation, '201', '204'),
  },
  {
    operations: ['getLatestOpenAPISpecVersionContent', 'getOpenAPISpecVersionContentById'],
    difference: '`filesystem` is a list of files, as readers of published sites use it, instead of an object',
    patchDocument: (document) => {
      (schemaOf(document, 'OpenAPISpecContent')['properties'] as Json)['filesystem'] = {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            filename: { type: 'string' },
            dir: { type: 'string' },
            isEntrypoint: { type: 'boolean' },
            references: { type: 'array', items: { type: 'string' } },
            specification: { type: 'object' },
          },
          required: ['filename', 'dir', 'isEntrypoint', 'references', 'specification'],
        },
      };
    },
  },
  {
    operations: [
      ...['getCurrentRevision', 'listPages', 'getRevisionById', 'listPagesInRevisionById'],
      ...['getRevisionOfChangeRequestById', 'listPagesInChangeRequest', 'getComputedRevision'],
      ...['listSpaceLinks', 'listPageLinksInSpace', 'listPageLinksInChangeRequest'],
      ...[
        'listSpacePageBacklinks',
        'listSpaceFileBacklinks',
        'listChangeRequestPageBacklinks',
        'listChangeRequestFileBacklinks',
      ],
    ],
    difference: 'pages in a tree or beside a link have no document',
    patchDocument: (document) => dropDocument(schemaOf(document, 'RevisionPageDocument')),
  },
  {
    operations: [
      ...['getPageById', 'getPageByPath', 'getPageInRevisionById', 'getPageInRevisionByPath'],
      ...['getPageInChangeRequestById', 'getPageInChangeRequestByPath'],
    ],
    difference: 'the page has `markdown` or `document`; the pages below it have neither',
    patchDocument: (document) => {
      const below = structuredClone(schemaOf(document, 'RevisionPageDocument'));
      dropDocument(below);
      const schemas = (document['components'] as Json)['schemas'] as Record<string, Json>;
      schemas['PageBelow'] = below;
      for (const name of ['RevisionPageDocument', 'RevisionPageGroup', 'PageBelow']) {
        const schema = schemas[name] as Json;
        const children = JSON.stringify(schema).replaceAll(
          '#/components/schemas/RevisionPageDocument"',
          '#/components/schemas/PageBelow"',
        );
        schemas[name] = JSON.parse(children) as Json;
      }
    },
  },
  {
    operations: ['getComputedRevision'],
    difference:
      'a page may have `computed` and no `documentId`; the declaration lets such a page match two forms',
    patchDocument: (document) => {
      const parts = schemaOf(document, 'RevisionPageDocument')['allOf'] as Json[];
      const kinds = parts.find((part) => part['oneOf'] !== undefined);
      if (!kinds) throw new Error('A published page is either computed or not: the patch is out of date.');
      kinds['anyOf'] = kinds['oneOf'];
      delete kinds['oneOf'];
    },
  },
  {
    operations: [
      ...['listSAMLProvidersInOrganizationById', 'createOrganizationSAMLProvider'],
      ...['getOrganizationSAMLProviderById', 'updateOrganizationSAMLProvider'],
    ],
    difference: 'a provider has no `ssoURL` until it is set',
    patchDocument: (document) => {
      const provider = schemaOf(document, 'OrganizationSAMLProvider');
      provider['required'] = (provider['required'] as string[]).filter((field) => field !== 'ssoURL');
    },
  },
  {
    operations: ['getChangeRequestChanges', 'getRevisionSemanticChanges'],
    difference:
      'the changed attributes of a page are one of three kinds; the declaration lets each match all three',
    patchDocument: (document) => {
      const edited = schemaOf(document, 'RevisionSemanticChangePageEdited')['properties'] as Record<
        string,
        Json
      >;
      const attributes = edited['attributes'] as Json;
      edited['attributes'] = { anyOf: attributes['oneOf'] };
    },
  },
];

function schemaOf(document: Json, name: string): Json {
  const schema = ((document['components'] as Json)['schemas'] as Record<string, Json>)[name];
  if (!schema) throw new Error(`The published document has no schema ${name}: the patch is out of date.`);
  return schema;
}

function moveResponse(operation: Json, from: string, to: string): void {
  const responses = operation['responses'] as Json;
  if (!responses[from] || responses[to])
    throw new Error(`${String(operation['operationId'])} declares other answers: the patch is out of date.`);
  responses[to] = responses[from];
  delete responses[from];
}

function dropDocument(page: Json): void {
  const parts = page['allOf'] as Json[];
  page['allOf'] = parts.filter((part) => part['$ref'] !== '#/components/schemas/Document');
  if ((page['allOf'] as Json[]).length === parts.length)
    throw new Error('A published page demands no document: the patch is out of date.');
}
