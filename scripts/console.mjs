/** Builds the console when its sources are not those of the last build. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './process.mjs'

const SOURCES = ['apps/console', 'packages/contract/src', 'packages/access-rules/src', 'package-lock.json']
/** In their order: the first empties the folder of what was built before. */
const CONFIGURATIONS = ['vite.config.ts', 'vite.phones.config.ts']
const PRODUCTS = new Set(['dist', 'node_modules'])

const recordIn = (root) => join(root, '.cache', 'console-sources')

/** Whether the console of these sources is there. */
export function isBuilt(root, sources = fingerprint(root)) {
  const record = recordIn(root)
  return existsSync(join(root, 'apps', 'console', 'dist', 'index.html')) && existsSync(record) && readFileSync(record, 'utf8') === sources
}

/** Returns a sentence saying what went wrong, or undefined. */
export async function buildConsole(root, node) {
  const sources = fingerprint(root)
  if (isBuilt(root, sources)) return undefined
  console.log('Building the console.')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  for (const config of CONFIGURATIONS) {
    const code = await runProgram(node, [vite, 'build', '--config', config, '--logLevel', 'warn'], { cwd: join(root, 'apps', 'console') })
    if (code !== 0) return `The console could not be built: vite ended with code ${code}.`
  }
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(recordIn(root), sources)
  return undefined
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesBelow(root, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(root, path) {
  if (path.endsWith('.json') && !path.includes('/')) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !PRODUCTS.has(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
