/**
 * Every command of package.json begins here, under whatever Node the machine has: this installs what is missing and
 * then runs the command under the Node that package-lock.json pins. Nothing in this folder may need a package.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole, isBuilt } from './console.mjs'
import { install, isInstalled, runtimePath } from './install.mjs'
import { becomeProgram } from './process.mjs'
import { missingRequirement } from './requirements.mjs'
import { inTurn } from './turn.mjs'

/** `plain` commands run without the packages for development; `console` ones serve the built console. */
const COMMANDS = {
  start: { program: 'packages/dev-env/src/start.ts', plain: true, console: true },
  serve: { program: 'apps/server/src/main.ts', plain: true, console: true },
  backup: { program: 'apps/server/src/backup/main.ts', words: ['backup'], plain: true },
  restore: { program: 'apps/server/src/backup/main.ts', words: ['restore'], plain: true },
  'rotate-key': { program: 'apps/server/src/master-key/main.ts', plain: true },
  'reset-second-factor': { program: 'apps/server/src/second-factor/main.ts', plain: true },
  terminal: { program: 'apps/terminal/src/main.ts', plain: true },
  models: { program: 'packages/face-engine/src/fetch/main.ts', plain: true },
  inventory: { program: 'packages/dev-env/src/inventory.ts', plain: true },
  simulate: { program: 'packages/dev-env/src/simulator/main.ts' },
  bench: { program: 'bench/main.ts' },
  test: { program: 'tests/run/main.ts', words: ['test'] },
  'test:system': { program: 'tests/run/main.ts', words: ['system'] },
  'test:changed': { program: 'tests/run/main.ts', words: ['changed'] },
  'test:soak': { program: 'tests/run/main.ts', words: ['soak'] },
  'test:flakes': { program: 'tests/run/main.ts', words: ['flakes'] },
  'test:faults': { program: 'tests/run/faults.ts' },
  'test:postgres': { program: 'tests/run/main.ts', words: ['postgres'] },
  check: { program: 'tests/run/main.ts', words: ['check'] },
  release: { program: 'tests/releases/main.ts' },
  'signing-key': { program: 'packages/dev-env/src/signing/main.ts', words: ['key'], plain: true },
  package: { program: 'packages/dev-env/src/signing/main.ts', words: ['package'], plain: true },
  console: { plain: true, console: true },
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)

function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}

const [name = '', ...words] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) refuse(`Unknown command "${name}". Known are: ${Object.keys(COMMANDS).join(', ')}.`)

const missing = missingRequirement()
if (missing) refuse(missing)

const node = runtimePath(root)
const plain = command.plain === true
// Where all is there nothing is written: the account of the server need not own this folder.
if (!isInstalled(root, { plain })) {
  const notInstalled = await inTurn(root, 'install', 'Another command is installing; waiting for it.', () => install(root, { plain }))
  if (notInstalled) refuse(notInstalled)
}

if (command.console && !isBuilt(root)) {
  const notBuilt = await inTurn(root, 'console', 'Another command is building the console; waiting for it.', () => buildConsole(root, node))
  if (notBuilt) refuse(notBuilt)
}
// What is experimental in the pinned runtime is known to us and of no use to whoever starts the program.
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning']
if (command.program) await becomeProgram(node, [...NODE_OPTIONS, join(root, command.program), ...(command.words ?? []), ...words])
