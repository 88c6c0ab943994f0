/** Builds the console when its sources are not those of the last build. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './process.mjs'

const SOURCES = ['apps/console', 'packages/contract/src', 'packages/access-rules/src', 'package-lock.json']
const PRODUCTS = new Set(['dist', 'node_modules'])

/** Returns a sentence saying what went wrong, or undefined. */
export async function buildConsole(root, node) {
  const record = join(root, '.cache', 'console-sources')
  const sources = fingerprint(root)
  const isBuilt = existsSync(join(root, 'apps', 'console', 'dist', 'index.html')) && existsSync(record)
  if (isBuilt && readFileSync(record, 'utf8') === sources) return undefined
  console.log('Building the console.')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const code = await runProgram(node, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'apps', 'console') })
  if (code !== 0) return `The console could not be built: vite ended with code ${code}.`
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(record, sources)
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
