/** A database as SQL text, created by PostgreSQL's own pg_dump, which supports every object of a schema. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { plainSql } from '@gatehouse/dev-env/release/plain-sql'

const DEBIAN_PROGRAMS = '/usr/lib/postgresql'
/** Several rows per statement, as INSERT rather than COPY, so that any driver can run the text. */
const WORDS = ['--no-owner', '--no-privileges', '--rows-per-insert=100']
const LARGEST_BYTES = 64 * 1_048_576

/** Return the newest pg_dump of a Debian, otherwise the one on PATH. */
function pgDump(): string {
  const versions = existsSync(DEBIAN_PROGRAMS) ? readdirSync(DEBIAN_PROGRAMS) : []
  const programs = versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_PROGRAMS, version, 'bin', 'pg_dump'))
  return programs.find((program) => existsSync(program)) ?? 'pg_dump'
}

/** Return schema and rows of a database. Throw with a sentence where pg_dump is missing, older than the server, or fails. */
export function dumpDatabase(connectionString: string): string {
  const { error, status, stdout, stderr } = spawnSync(pgDump(), [...WORDS, connectionString], {
    encoding: 'utf8',
    maxBuffer: LARGEST_BYTES,
  })
  if (error !== undefined)
    throw new Error('pg_dump could not be run: install the client programs of PostgreSQL (Debian: apt-get install postgresql-client)', {
      cause: error,
    })
  if (status !== 0) throw new Error(`pg_dump failed: ${stderr.trim()}`)
  return plainSql(stdout)
}
