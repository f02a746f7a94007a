// Who may import whom. `npm run lint:imports` applies these rules and fails when a source file was not read
// (scripts/lint-imports.ts says why). Tests may import anything; they are left out of every `from` below.

const tests = String.raw`\.test(-d)?\.ts$`;

/** For each package: the packages of ours it may import. Apps may import every package. */
const mayImport = {
  contract: [],
  runtime: ['contract'],
  models: ['runtime', 'contract'],
  storage: ['runtime', 'contract'],
  outbound: ['runtime', 'contract'],
  dialect: ['contract'],
  render: ['contract'],
  content: ['dialect', 'models', 'storage', 'runtime', 'contract'],
  jobs: ['models', 'runtime', 'contract'],
  worker: ['jobs', 'models', 'storage', 'runtime', 'contract'],
};

/**
 * For each folder of packages/dialect: the folders of it that it may import. What stands beside them,
 * everyone may import.
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
  'page-source': ['frontmatter', 'syntax'],
  'repository-format': ['frontmatter', 'links', 'syntax'],
};

/** The folders that are loaded by the children that read strangers' repositories and archives. */
const lightFolders = ['syntax', 'links', 'frontmatter', 'page-source', 'repository-format'];

/**
 * For each heavy library: its one owner. What others need of it, they get from the owner under a name of
 * ours.
 */
const owners = {
  express: 'apps/api',
  helmet: 'apps/api',
  '@bull-board/': 'apps/api',
  'swagger-ui-dist': 'apps/api',
  bullmq: 'packages/jobs',
  mongoose: 'packages/models',
  mongodb: 'packages/storage',
  ioredis: 'packages/runtime',
  pino: 'packages/runtime',
  undici: 'packages/outbound',
  'ipaddr.js': 'packages/outbound',
  puppeteer: 'apps/worker-pdf',
  'puppeteer-core': 'apps/worker-pdf',
  '@apidevtools/': 'apps/worker-openapi',
};

/**
 * Modules of Node that open connections. Only packages/outbound may use them, because only it checks where a
 * connection leads; types are free. The exceptions, each with its reason:
 */
const networkExceptions = [
  'apps/api/', // node:http: createServer. It makes no request with it.
  'apps/cli/', // finds free ports, asks its own services for their health, and serves the demo remote on loopback.
  'packages/worker/src/healthServer.ts', // node:http: createServer, for the probes of the operator's machines. It makes no request.
  'packages/runtime/src/limitedProcess/channel.ts', // node:net: a socket for a descriptor that is open already.
  'apps/worker-git/src/child/rehearse.ts', // node:http: createServer, on loopback, for a request of its own process.
];

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
      name: 'dialect-light',
      comment:
        'Children that read strangers\u2019 content load this: no schemas. Import @bindery/contract/<module>, or types only.',
      severity: 'error',
      from: {
        path: `^packages/dialect/src/(${lightFolders.join('|')})/|^packages/dialect/src/content`,
        pathNot: tests,
      },
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
        'The git protocol and its objects know no space, revision or store: apps/worker-git/src/sync and child do.',
      severity: 'error',
      from: { path: '^apps/worker-git/src/git/', pathNot: tests },
      to: { path: '^(apps|packages)/', pathNot: '^apps/worker-git/src/git/|^packages/(contract|outbound)/' },
    },
    {
      name: 'git-wire-without-objects',
      comment: 'The messages of the git protocol carry objects without reading them.',
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
      // These are descriptions of trees, types only: what is resolved is @types/mdast and @types/hast.
      to: { couldNotResolve: true, pathNot: '^(mdast|hast)$' },
    },
    {
      name: 'declared',
      comment: 'Add the package to the package.json of the workspace that imports it.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      // Packages of ours are links, which the tool calls undetermined; knip checks that those are declared.
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
    // With TypeScript 7 alone the default parser reads no .ts file at all, and passes.
    parser: 'swc',
    // Also see imports of types only: they are gone after compilation, yet couple as much.
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
