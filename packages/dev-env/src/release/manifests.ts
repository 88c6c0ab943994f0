/** The files that name the version of the product, and their content for a version. */

const OWN = '@gatehouse/'
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
const TERMINAL_VERSION = /^export const TERMINAL_VERSION = '.*'$/m

type Manifest = { version?: string } & { [Group in (typeof DEPENDENCIES)[number]]?: Record<string, string> }
interface Lock extends Manifest {
  /** By folder; the product itself under the empty name. */
  packages: Record<string, Manifest>
}

/** Where the version stands in the source of the terminal, which runs without its package.json. */
export const TERMINAL_SOURCE = 'apps/terminal/src/terminal.ts'

const isInstalled = (folder: string): boolean => folder.split('/').includes('node_modules')
const parsed = <Parsed>(text: string): Parsed => JSON.parse(text) as Parsed
/** Return JSON as npm writes it. */
const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version
  for (const group of DEPENDENCIES)
    for (const name of Object.keys(manifest[group] ?? {})) if (name.startsWith(OWN)) manifest[group]![name] = version
}

/** Return the version a package.json names. */
export const versionOf = (manifest: string): string => parsed<Manifest>(manifest).version ?? ''

/** Return the folders of the workspaces that a package-lock.json lists, the product itself first, as an empty name. */
export const workspacesOf = (lock: string): string[] => Object.keys(parsed<Lock>(lock).packages).filter((folder) => !isInstalled(folder))

/** Return a package.json with another version of itself and of the workspaces it depends on. */
export function withManifestVersion(text: string, version: string): string {
  const manifest = parsed<Manifest>(text)
  setVersion(manifest, version)
  return written(manifest)
}

/** Return a package-lock.json with another version of the product and its workspaces. */
export function withLockVersion(text: string, version: string): string {
  const lock = parsed<Lock>(text)
  lock.version = version
  for (const [folder, manifest] of Object.entries(lock.packages)) if (!isInstalled(folder)) setVersion(manifest, version)
  return written(lock)
}

/** Return the source of the terminal with another version. Throw if it names none. */
export function withTerminalVersion(source: string, version: string): string {
  if (!TERMINAL_VERSION.test(source)) throw new Error(`${TERMINAL_SOURCE} names no version`)
  return source.replace(TERMINAL_VERSION, `export const TERMINAL_VERSION = '${version}'`)
}
