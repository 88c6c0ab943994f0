/**
 * Who may import whom. Everything that is not allowed here is forbidden. The paths are not anchored at the
 * repository's root, so that tests/architecture/fixtures/must-fail proves each rule on a small tree of its own.
 */

/** A test beside the file, and what it is made of (the folder `testing/`), may use anything. */
const TEST = '\\.test\\.tsx?$|/testing/'
const CONTRACT = '(^|/)packages/contract/'
const ACCESS_RULES = '(^|/)packages/access-rules/'
const FACE_ENGINE = '(^|/)packages/face-engine/'
const SERVER = '(^|/)apps/server/src'
const CONSOLE = '(^|/)apps/console/src'
/** What reads uploads, and what that is made of. */
const PARSERS = ['.+-parser', 'platform/documents/(parsing-worker|spreadsheet|spreadsheet-numbers|zip)', 'contexts/configuration/mp3']
const PARSER = `${SERVER}/(${PARSERS.join('|')})\\.ts$`
/** Our own code, as opposed to a package from npm or a module of Node. */
const OURS = '(^|/)(packages|apps|tests|bench)/(?!.*node_modules/)'

/** Our build's products; those of packages from npm lie in folders of the same name and do count. */
const PRODUCTS = '(^|/)(apps|packages)/[^/]+/dist/(?!.*node_modules/)'

/** Own code that `from` may not import: all but `allowed`. */
const onlyOurs = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to: { path: OURS, pathNot: allowed },
})

module.exports = {
  forbidden: [
    {
      name: 'no-unresolvable',
      comment: 'An import that cannot be resolved is an import no rule sees.',
      severity: 'error',
      from: {},
      // Type declarations only, which TypeScript itself checks, and what the console's build makes.
      to: { couldNotResolve: true, pathNot: ['^vite/client$', '^virtual:'] },
    },
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one file, or a third is missing; types count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-is-a-leaf',
      comment: 'The contract runs in server, browser and terminal: zod only.',
      severity: 'error',
      from: { path: `${CONTRACT}src/`, pathNot: TEST },
      to: { pathNot: [`${CONTRACT}src/`, '(^|/)node_modules/zod/'] },
    },
    {
      name: 'access-rules-are-pure',
      comment: 'The access decision knows nothing but the contract: no package, no Node, no clock of its own.',
      severity: 'error',
      from: { path: `${ACCESS_RULES}src/`, pathNot: TEST },
      to: { pathNot: [`${ACCESS_RULES}src/`, `${CONTRACT}src/`] },
    },
    onlyOurs('face-engine-knows-the-contract-at-most', 'No HTTP, no database, no context.', `${FACE_ENGINE}src/`, [
      `${FACE_ENGINE}src/`,
      `${CONTRACT}src/`,
    ]),
    onlyOurs('platform-knows-no-context', 'The platform serves contexts that do not exist yet.', `${SERVER}/platform/`, [
      `${SERVER}/platform/`,
      `${SERVER}/config\\.ts$`,
      `${CONTRACT}src/`,
    ]),
    onlyOurs(
      'context-imports',
      'A context uses the platform, the rules, the index of another context, and the events of any.',
      `${SERVER}/contexts/([^/]+)/`,
      [
        `${SERVER}/contexts/$2/`,
        `${SERVER}/contexts/[^/]+/(index|events)\\.ts$`,
        `${SERVER}/platform/`,
        `${CONTRACT}src/`,
        `${ACCESS_RULES}src/`,
        `${FACE_ENGINE}src/`,
      ],
    ),
    {
      name: 'uploads-are-parsed-apart',
      comment: 'What reads uploads runs in the parsing thread; all others know its types only. A parser is a file named `…-parser.ts`.',
      severity: 'error',
      from: { path: `${SERVER}/`, pathNot: [TEST, PARSER] },
      to: {
        path: [PARSER, '(^|/)node_modules/(sax|yauzl)/', `${ACCESS_RULES}src/calendar\\.ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-faces-uses-the-engine',
      comment: 'Photographs become templates in one context; the program’s own files put the parts together.',
      severity: 'error',
      from: { path: `${SERVER}/`, pathNot: [TEST, `${SERVER}/contexts/faces/`, `${SERVER}/[^/]+\\.ts$`] },
      to: { path: FACE_ENGINE },
    },
    onlyOurs(
      'gateway-and-realtime-use-context-indexes',
      'They translate between the outside and contexts.',
      `${SERVER}/(gateway|realtime)/`,
      [`${SERVER}/$2/`, `${SERVER}/contexts/[^/]+/index\\.ts$`, `${SERVER}/platform/`, `${CONTRACT}src/`],
    ),
    {
      name: 'server-is-a-program',
      comment: 'Server, console and terminal meet on the wire only.',
      severity: 'error',
      from: { path: `${SERVER}/`, pathNot: TEST },
      to: { path: '(^|/)apps/(console|terminal)/' },
    },
    onlyOurs('console-knows-the-contract', 'The browser gets nothing of the server.', `${CONSOLE}/`, [
      `${CONSOLE}/`,
      `${CONTRACT}src/`,
      `${ACCESS_RULES}src/`,
    ]),
    {
      name: 'kit-knows-no-feature',
      comment: 'The kit is what features are made of.',
      severity: 'error',
      from: { path: `${CONSOLE}/(kit|api|shared)/`, pathNot: TEST },
      to: { path: `${CONSOLE}/(features|shell)/` },
    },
    {
      name: 'kit-knows-no-domain',
      comment: 'Persons, doors and faces stand in `shared/`, which is made of the kit.',
      severity: 'error',
      from: { path: `${CONSOLE}/(kit|api)/`, pathNot: TEST },
      to: { path: `${CONSOLE}/shared/` },
    },
    {
      name: 'feature-uses-indexes-of-features',
      comment: 'What a feature offers to others stands in its index.',
      severity: 'error',
      from: { path: `${CONSOLE}/features/([^/]+)/`, pathNot: TEST },
      to: { path: `${CONSOLE}/features/[^/]+/`, pathNot: [`${CONSOLE}/features/$2/`, `${CONSOLE}/features/[^/]+/index\\.tsx?$`] },
    },
    {
      name: 'feature-knows-no-shell',
      comment: 'The shell mounts features, not the other way round.',
      severity: 'error',
      from: { path: `${CONSOLE}/features/`, pathNot: TEST },
      to: { path: `${CONSOLE}/shell/` },
    },
    onlyOurs('terminal-imports', 'A terminal runs without the server’s code.', '(^|/)apps/terminal/src/', [
      '(^|/)apps/terminal/src/',
      `${CONTRACT}src/`,
      `${ACCESS_RULES}src/`,
      `${FACE_ENGINE}src/`,
    ]),
    {
      name: 'nobody-imports-tests',
      comment: 'What serves tests, benchmarks and the demo is not part of the product.',
      severity: 'error',
      from: { path: '(^|/)(apps|packages)/(?!dev-env/)', pathNot: TEST },
      to: {
        path: [
          '^(packages/dev-env|bench)/',
          '^tests/(?!architecture/fixtures/)',
          'must-fail/packages/dev-env/',
          '\\.test\\.tsx?$',
          '/testing/',
        ],
        pathNot: 'node_modules/',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Without these two, imports between workspaces are silently not followed.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: PRODUCTS },
  },
}
