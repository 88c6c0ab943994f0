/** The installations kept for releases: one folder each, beside this file. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Facts } from './facts.ts'

/** The answers of the installation when it was kept, and how to request them again. */
export interface Expected {
  release: string
  /** Epoch milliseconds. */
  keptAt: number
  administrator: { account: string; password: string }
  device: { code: string; secret: string }
  /** Face model whose templates the device receives. */
  modelId: string
  facts: Facts
}

export interface KeptInstallation {
  /** The database as SQL text that the `pg` driver can run. */
  sql: string
  /** 64 hexadecimal characters. The installation was discarded: the key protects nothing else. */
  masterKey: string
  /** Encrypted pictures, by their path below DATA_DIR. */
  files: ReadonlyMap<string, Uint8Array>
  expected: Expected
}

const FOLDER = import.meta.dirname
const DATABASE = 'database.sql.gz'
const KEY = 'master.key'
const EXPECTED = 'expected.json'
const PICTURES = 'files'

/** Return the names of the kept releases. */
export const keptReleases = (): string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))

/** Write an installation into the folder of its release. Throw if the folder exists. */
export function keepInstallation({ sql, masterKey, files, expected }: KeptInstallation): void {
  const folder = join(FOLDER, expected.release)
  mkdirSync(folder)
  writeFileSync(join(folder, DATABASE), gzipSync(sql, { level: 9 }))
  writeFileSync(join(folder, KEY), masterKey)
  writeFileSync(join(folder, EXPECTED), `${JSON.stringify(expected, null, 1)}\n`)
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

/** Read the installation of a release. */
export function readInstallation(release: string): KeptInstallation {
  const folder = join(FOLDER, release)
  const pictures = readdirSync(join(folder, PICTURES), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return {
    sql: gunzipSync(readFileSync(join(folder, DATABASE))).toString('utf8'),
    masterKey: readFileSync(join(folder, KEY), 'utf8'),
    files: new Map(
      pictures.map(({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(folder.length + 1), readFileSync(path)]
      }),
    ),
    expected: JSON.parse(readFileSync(join(folder, EXPECTED), 'utf8')) as Expected,
  }
}
