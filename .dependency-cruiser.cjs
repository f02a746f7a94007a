// Import rules between packages and folders. `npm run lint:imports` applies them and fails when a source file
// was not read (scripts/lint-imports.ts explains why). Tests may import anything, and every `from` below
// excludes them, except that tests without stores may import none.

const tests = String.raw`\.test(-d)?\.ts$`;

/** Folders of test/ whose tests have MongoDB and Redis: those of the project `stores` in vitest.config.ts. */
const foldersWithStores = [
  'api',
  'console',
  'contract',
  'e2e',
  'faults',
  'git',
  'hostile',
  'jobs',
  'site',
  'workers',
];

/** Packages of this repository that each package may import. Apps may import every package. */
const mayImport = {
  contract: [],
  html: [],
  archive: ['contract'],
  metrics: [],
  tracing: [],
  runtime: ['metrics', 'tracing', 'contract'],
  models: ['runtime', 'metrics', 'contract'],
  storage: ['runtime', 'contract'],
  outbound: ['runtime', 'metrics', 'tracing', 'contract'],
  'git-remote': ['outbound', 'contract'],
  dialect: ['contract'],
  render: ['dialect', 'runtime', 'contract'],
  translation: ['dialect', 'contract'],
  exchange: ['translation'],
  engines: ['translation', 'outbound', 'runtime', 'metrics', 'contract'],
  pdf: ['runtime', 'contract'],
  'sign-in': ['outbound', 'runtime', 'contract'],
  openapi: ['contract'],
  'openapi-diff': [],
  'document-diff': ['contract'],
  content: ['dialect', 'models', 'storage', 'runtime', 'contract'],
  publishing: ['content', 'dialect', 'models', 'runtime', 'contract'],
  jobs: ['models', 'runtime', 'metrics', 'tracing', 'contract'],
  worker: ['jobs', 'models', 'storage', 'runtime', 'metrics', 'tracing', 'contract'],
};

/**
 * Folders of packages/dialect that each of its folders may import. Every folder may import the files beside
 * them.
 */
const dialectFolders = {
  syntax: [],
  condition: [],
  frontmatter: [],
  links: ['syntax'],
  tree: ['syntax'],
  inline: ['tree', 'links', 'syntax'],
  blocks: ['inline', 'tree', 'links', 'syntax'],
  document: ['blocks', 'inline', 'tree', 'links', 'condition', 'syntax'],
  openapi: ['document', 'blocks', 'tree', 'links', 'syntax'],
  'page-source': ['frontmatter', 'syntax'],
  'repository-format': ['frontmatter', 'links', 'syntax'],
  source: ['document', 'tree', 'syntax'],
};

/**
 * The one package that owns each heavy library. Other packages use the owner's exports instead of the
 * library.
 */
const owners = {
  express: 'apps/api',
  '@node-saml/node-saml': 'packages/sign-in',
  'openid-client': 'packages/sign-in',
  helmet: 'apps/api',
  '@bull-board/': 'apps/api',
  'swagger-ui-dist': 'apps/api',
  bullmq: 'packages/jobs',
  mongoose: 'packages/models',
  mongodb: 'packages/storage',
  '@aws-sdk/': 'packages/storage',
  '@smithy/': 'packages/storage',
  ioredis: 'packages/runtime',
  pino: 'packages/runtime',
  'prom-client': 'packages/metrics',
  '@opentelemetry/': 'packages/tracing',
  undici: 'packages/outbound',
  'ipaddr.js': 'packages/outbound',
  shiki: 'packages/render',
  '@shikijs/': 'packages/render',
  katex: 'packages/render',
  yauzl: 'packages/archive',
  saxes: 'packages/exchange',
  'isomorphic-git': 'packages/git-remote',
  'acme-client': 'apps/worker-maintenance',
  puppeteer: 'apps/worker-pdf',
  'puppeteer-core': 'apps/worker-pdf',
  '@apidevtools/': 'packages/openapi',
  '@redocly/': 'packages/openapi',
  '@seriousme/': 'packages/openapi',
  ajv: 'packages/openapi',
  'js-yaml': 'packages/openapi',
  swagger2openapi: 'packages/openapi',
};

/**
 * Node modules that open connections. Only packages/outbound may use them, because only that package checks
 * the destination of a connection. Type imports are allowed. Each exception has its reason:
 */
const networkExceptions = [
  'packages/runtime/src/httpServer.ts', // node:http: createServer only; makes no requests.
  'apps/cli/', // finds free ports, checks its own services, and serves the demo remote on loopback.
  'packages/metrics/src/openEndpoint.ts', // node:http: createServer, for probes and metrics; no requests.
  'packages/runtime/src/limitedProcess/channel.ts', // node:net: a socket for an open descriptor.
  'packages/runtime/src/config/hostnames.ts', // node:net: isIP only.
  'apps/worker-maintenance/src/hostnames/checkDns.ts', // node:net: isIP only.
  'apps/site/src/hostnames/certificateFinder.ts', // node:tls: createSecureContext only.
  'apps/worker-git/src/child/rehearse.ts', // node:http: createServer on loopback, for its own request.
];

// packages/storage opens connections to the bucket through the AWS SDK: the operator chose that server, which may
// be internal, so it is not checked like a stranger's URL. packages/outbound refuses its address to users.
const networkModules = '^(node:)?(http|https|http2|net|tls|dgram|dns)(/|$)';

const packageRules = Object.entries(mayImport).map(([name, others]) => ({
  name: `layers-${name}`,
  comment: `packages/${name} may import ${others.length > 0 ? others.map((other) => `packages/${other}`).join(', ') : 'none of our packages'} only.`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: tests },
  to: { path: '^(packages|apps)/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
}));

const folderRules = Object.entries(dialectFolders).map(([folder, others]) => ({
  name: `dialect-${folder}`,
  comment: `The folder ${folder}/ of packages/dialect may import ${others.length > 0 ? others.map((other) => `${other}/`).join(', ') : 'no other folder'} only.`,
  severity: 'error',
  from: { path: `^packages/dialect/src/${folder}/`, pathNot: tests },
  to: {
    path: '^packages/dialect/src/([^/]+/|index[.]ts$)',
    pathNot: `^packages/dialect/src/(${[folder, ...others].join('|')})/`,
  },
}));

const ownerRules = Object.entries(owners).map(([library, owner]) => ({
  name: `owner-${library
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')}`,
  comment: `${library} belongs to ${owner}; import what it exports instead.`,
  severity: 'error',
  from: { path: '^(packages|apps)/', pathNot: [`^${owner}/`, tests] },
  to: { path: `node_modules/${library.replaceAll('.', String.raw`\.`)}${library.endsWith('/') ? '' : '/'}` },
}));

module.exports = {
  forbidden: [
    ...packageRules,
    ...folderRules,
    ...ownerRules,
    {
      name: 'layer-unknown',
      comment: 'A new package: say in .dependency-cruiser.cjs what it may import.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [`^packages/(${Object.keys(mayImport).join('|')})/`, tests] },
      to: {},
    },
    {
      name: 'app-to-app',
      comment: 'An app never imports another app; what both need belongs into a package.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'api-ground-floor',
      comment:
        'The HTTP layer, permissions, presenters, records and input of the API know no resource; resources import them.',
      severity: 'error',
      from: { path: '^apps/api/src/(http|permissions|presenters|records|input)/', pathNot: tests },
      to: { path: '^apps/api/src/resources/' },
    },
    {
      name: 'contract-zod-only',
      comment: 'packages/contract is what the outside sees: it imports zod and nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/', pathNot: tests },
      to: { pathNot: '^packages/contract/|node_modules/zod/' },
    },
    {
      name: 'dialect-pure',
      comment:
        'The dialect sees no file system, process or thread; its caller hands it the text, or the bytes of a repository.',
      severity: 'error',
      from: { path: '^packages/dialect/', pathNot: tests },
      to: { path: '^(node:)?(fs|child_process|worker_threads|process)(/|$)' },
    },
    {
      name: 'translation-pure',
      comment:
        'Segments, checks and exchange files are made of what the caller hands over: no files, no processes.',
      severity: 'error',
      from: { path: '^packages/translation/', pathNot: tests },
      to: { path: '^(node:)?(fs|child_process|worker_threads|process)(/|$)' },
    },
    {
      name: 'dialect-folder-unknown',
      comment: 'A new folder: say in .dependency-cruiser.cjs what it may import.',
      severity: 'error',
      from: {
        path: '^packages/dialect/src/[^/]+/',
        pathNot: [`^packages/dialect/src/(${Object.keys(dialectFolders).join('|')})/`, tests],
      },
      to: {},
    },
    {
      name: 'without-schemas',
      comment:
        'Children and threads that read strangers\u2019 content load this: no schemas. Import @bindery/contract/<module>, or types only.',
      severity: 'error',
      from: { path: '^packages/(dialect|render|translation)/', pathNot: tests },
      to: { path: '^packages/contract/src/index[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dialect-format-without-reader',
      comment: 'An export loads the repository format without what reads a whole repository.',
      severity: 'error',
      from: { path: '^packages/dialect/src/repository-format/[^/]+$', pathNot: tests },
      to: { path: '^packages/dialect/src/repository-format/reader/' },
    },
    {
      name: 'git-knows-no-space',
      comment:
        'Fetches, pushes and objects of git know no space, revision or store: apps/worker-git/src/sync and child do.',
      severity: 'error',
      from: { path: '^apps/worker-git/src/git/', pathNot: tests },
      to: {
        path: '^(apps|packages)/',
        pathNot: '^apps/worker-git/src/git/|^packages/(contract|git-remote)/',
      },
    },
    {
      name: 'git-wire-without-objects',
      comment: 'Fetches and pushes carry objects without reading them.',
      severity: 'error',
      from: { path: '^apps/worker-git/src/git/wire/', pathNot: tests },
      to: { path: '^apps/worker-git/src/git/objects/' },
    },
    {
      name: 'git-child-without-stores',
      comment:
        'The child that exchanges git objects sees neither database nor stores; apps/worker-git/src/sync hands it what it needs.',
      severity: 'error',
      from: { path: '^apps/worker-git/src/child/', pathNot: tests },
      to: { path: '^apps/worker-git/src/sync/|^packages/(models|storage|jobs)/' },
    },
    {
      name: 'package-by-name',
      comment: 'Import a package by its name (@bindery/...), never by a path into it.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/', pathNot: tests },
      to: { path: '^packages/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'network-guarded',
      comment:
        'Connections are opened through packages/outbound; the exceptions and their reasons are in .dependency-cruiser.cjs.',
      severity: 'error',
      from: {
        path: '^(packages|apps)/',
        pathNot: ['^packages/outbound/', ...networkExceptions.map((folder) => `^${folder}`), tests],
      },
      to: { path: networkModules, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sources-without-tests',
      comment: 'What runs in production does not depend on tests or scripts.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      to: { path: [`^(test|scripts)/`, tests] },
    },
    {
      name: 'pure-without-stores',
      comment:
        'Tests beside their sources and of the vitest project `pure` have no stores: move the test to a folder of the project `stores` (vitest.config.ts).',
      severity: 'error',
      from: { path: String.raw`\.test\.ts$`, pathNot: `^test/(${foldersWithStores.join('|')})/` },
      to: { path: String.raw`^test/support/(apiServer|stores/throwAwayStores)\.ts$`, reachable: true },
    },
    {
      name: 'no-cycles',
      comment: 'Move what both need into a third file.',
      severity: 'error',
      from: { path: '^(packages|apps|test|scripts)/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The module does not exist, or its package does not export this path.',
      severity: 'error',
      from: {},
      // Tree descriptions, types only: these imports resolve to @types/mdast and @types/hast.
      to: { couldNotResolve: true, pathNot: '^(mdast|hast)$' },
    },
    {
      name: 'declared',
      comment: 'Add the package to the package.json of the workspace that imports it.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      // Workspace packages are links, which the tool calls undetermined; knip checks that they are declared.
      to: {
        pathNot: '^(packages/|(mdast|hast)$)',
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
      },
    },
    {
      name: 'runtime-dependency',
      comment: 'What runs in production is a dependency, not a devDependency; types are free.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // With TypeScript 7 alone, the default parser reads no .ts files and reports success.
    parser: 'swc',
    // Include type-only imports: they disappear in compilation, but couple modules all the same.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/fixtures/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
