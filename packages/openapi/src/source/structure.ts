/**
 * The members of the objects of a specification, for all versions together: the shape of those that are
 * objects, and those that are data, in which `$ref` means nothing.
 *
 * `schema{}` is an object whose members are schemas under names of the author's choice.
 */
const members = {
  document: {
    paths: 'pathItem{}',
    webhooks: 'pathItem{}',
    components: 'components',
    // Swagger 2.0
    definitions: 'schema{}',
    parameters: 'parameter{}',
    responses: 'response{}',
    securityDefinitions: 'plain{}',
  },
  components: {
    schemas: 'schema{}',
    responses: 'response{}',
    parameters: 'parameter{}',
    examples: 'example{}',
    requestBodies: 'requestBody{}',
    headers: 'parameter{}',
    securitySchemes: 'plain{}',
    links: 'link{}',
    callbacks: 'callback{}',
    pathItems: 'pathItem{}',
    mediaTypes: 'mediaType{}',
  },
  pathItem: {
    get: 'operation',
    post: 'operation',
    put: 'operation',
    delete: 'operation',
    options: 'operation',
    head: 'operation',
    patch: 'operation',
    trace: 'operation',
    query: 'operation',
    additionalOperations: 'operation{}',
    parameters: 'parameter',
  },
  operation: {
    parameters: 'parameter',
    requestBody: 'requestBody',
    responses: 'response{}',
    callbacks: 'callback{}',
  },
  /** A member is a path item under an expression. */
  callback: {},
  /** Parameters and headers; also the `items` of 2.0. */
  parameter: {
    schema: 'schema',
    content: 'mediaType{}',
    items: 'parameter',
    examples: 'example{}',
    example: 'data',
    default: 'data',
    enum: 'data',
  },
  requestBody: { content: 'mediaType{}' },
  response: {
    headers: 'parameter{}',
    content: 'mediaType{}',
    links: 'link{}',
    schema: 'schema',
    examples: 'data',
  },
  mediaType: {
    schema: 'schema',
    itemSchema: 'schema',
    examples: 'example{}',
    example: 'data',
    encoding: 'encoding{}',
    prefixEncoding: 'encoding',
    itemEncoding: 'encoding',
  },
  encoding: {
    headers: 'parameter{}',
    encoding: 'encoding{}',
    prefixEncoding: 'encoding',
    itemEncoding: 'encoding',
  },
  example: { value: 'data', dataValue: 'data', serializedValue: 'data' },
  link: { parameters: 'data', requestBody: 'data' },
  schema: {
    properties: 'schema{}',
    patternProperties: 'schema{}',
    dependentSchemas: 'schema{}',
    dependencies: 'schema{}',
    definitions: 'schema{}',
    $defs: 'schema{}',
    items: 'schema',
    prefixItems: 'schema',
    additionalItems: 'schema',
    unevaluatedItems: 'schema',
    contains: 'schema',
    additionalProperties: 'schema',
    unevaluatedProperties: 'schema',
    propertyNames: 'schema',
    contentSchema: 'schema',
    allOf: 'schema',
    anyOf: 'schema',
    oneOf: 'schema',
    not: 'schema',
    if: 'schema',
    then: 'schema',
    else: 'schema',
    example: 'data',
    examples: 'data',
    default: 'data',
    enum: 'data',
    const: 'data',
  },
  /** Any other object. */
  plain: { example: 'data', examples: 'data', default: 'data', enum: 'data', const: 'data' },
} as const satisfies Record<string, Record<string, string>>;

type Kind = keyof typeof members;

/** The kind of an object; with braces, an object whose members, under any names, are of that kind. */
export type Shape = Kind | `${Kind}{}`;

const shapes = new Map<Shape, ReadonlyMap<string, Shape | 'data'>>(
  Object.entries(members).map(([kind, shape]) => [kind as Kind, new Map(Object.entries(shape))]),
);

/** Maps in which a name that begins with `x-` is an extension; elsewhere it is a name like any other. */
const extensible: ReadonlySet<Shape> = new Set<Shape>(['pathItem{}', 'response{}']);

/** The shape of a member of an object; `data` for values that are no part of the specification. */
export function shapeOf(key: string, parent: Shape): Shape | 'data' {
  if (parent === 'callback') return key.startsWith('x-') ? 'data' : 'pathItem';
  if (parent.endsWith('{}')) {
    if (extensible.has(parent) && key.startsWith('x-')) return 'data';
    return parent.slice(0, -2) as Kind;
  }
  return shapes.get(parent)?.get(key) ?? (key.startsWith('x-') ? 'data' : 'plain');
}
