import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface PostgresProcess {
  /** The program that started the database. */
  parent: ChildProcess
  connectionString: string
  /** Process number of the PostgreSQL server. */
  server: number
}

/** Run the built-in database in a process of its own, so that this process can be killed. */
export async function postgresProcess(words: string[], command: readonly string[] = []): Promise<PostgresProcess> {
  const program = join(import.meta.dirname, 'embedded-postgres.process.ts')
  const [first = '', ...rest] = [...command, process.execPath, program, ...words]
  const parent = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (parent.exitCode !== null || parent.signalCode !== null) return
    parent.kill('SIGTERM')
    await once(parent, 'exit')
  })
  const complaints = text(parent.stderr)
  for await (const line of createInterface(parent.stdout))
    return { parent, ...(JSON.parse(line) as { connectionString: string; server: number }) }
  throw new Error(`the database did not start: ${await complaints}`)
}

/** Kill without a chance to clean up, and wait for the end. */
export async function killHard(parent: ChildProcess): Promise<void> {
  parent.kill('SIGKILL')
  await once(parent, 'exit')
}

export function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}

/** Return process numbers of the children of `parent` whose command line contains `word`. */
export function childrenOf(parent: number, word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parentOf = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
        return parentOf === parent && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Run one query on a connection of its own. Return the rows. */
export async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connectionString)
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}
