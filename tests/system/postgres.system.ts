import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import { isRunning, killHard, postgresProcess, query } from '../support/embedded-postgres.ts'
import { keptLog } from '../support/kept-log.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

/** Write numbered rows one after the other until the connection breaks; return which were acknowledged. */
function writer(connectionString: string) {
  const acknowledged: number[] = []
  const ended = (async () => {
    const client = new pg.Client(connectionString)
    client.on('error', () => {})
    await client.connect()
    try {
      for (let number = 1; ; number += 1) {
        await client.query('insert into written values ($1)', [number])
        acknowledged.push(number)
      }
    } catch {
      await client.end().catch(() => {})
    }
  })()
  return { acknowledged, ended }
}

const numbersIn = async (connectionString: string) =>
  (await query<{ number: number }>(connectionString, 'select number from written order by number')).map((row) => row.number)

describe('killed without warning, the built-in database', () => {
  test('is started again at the same address with every acknowledged row', async () => {
    const log = keptLog()
    const database = await startEmbeddedPostgres({ dataDir: scratchFolder(), log })
    onTestFinished(database.stop)
    await query(database.connectionString, 'create table written (number int)')
    const { acknowledged, ended } = writer(database.connectionString)
    await until('some rows', () => acknowledged.length > 200)
    const killed = database.processId()
    process.kill(killed, 'SIGKILL')
    await ended
    const found = await until('the database to be back', () => numbersIn(database.connectionString), 60)
    expect(found.slice(0, acknowledged.length)).toEqual(acknowledged)
    expect(found.length - acknowledged.length).toBeLessThanOrEqual(1)
    expect(database.processId()).not.toBe(killed)
    expect(log.lines.join('\n')).toContain('ended unexpectedly')
  })

  test('loses nothing together with the program that started it', async () => {
    const dataDir = scratchFolder()
    const { parent, server, connectionString } = await postgresProcess([dataDir])
    await query(connectionString, 'create table written (number int)')
    const { acknowledged, ended } = writer(connectionString)
    await until('some rows', () => acknowledged.length > 200)
    parent.kill('SIGSTOP')
    process.kill(server, 'SIGKILL')
    await killHard(parent)
    await ended
    const next = await startEmbeddedPostgres({ dataDir, log: keptLog() })
    onTestFinished(next.stop)
    expect((await numbersIn(next.connectionString)).slice(0, acknowledged.length)).toEqual(acknowledged)
  })
})

const isRoot = process.getuid?.() === 0
const hasNamespaces = isRoot && spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0
const hidesUnshare = ['unshare', '--mount', 'sh', '-c', 'mount --bind /bin/false /usr/bin/unshare && exec "$@"', 'sh']
const canHideUnshare = isRoot && spawnSync(hidesUnshare[0] ?? '', [...hidesUnshare.slice(1), 'true']).status === 0

/** Create a data directory that only root can enter. */
function closedDataDirectory(): string {
  const folder = scratchFolder()
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o700)
  return join(closed, 'data')
}

describe('started by root, the built-in database', () => {
  test.skipIf(!isRoot)('never runs with the rights of root', async () => {
    const { server } = await postgresProcess([scratchFolder()])
    const owner = spawnSync('stat', ['-c', '%u', `/proc/${server}`], { encoding: 'utf8' }).stdout.trim()
    expect(Number(owner)).toBeGreaterThan(0)
  })

  test.skipIf(!hasNamespaces)('works in a folder that only root can enter', async () => {
    const dataDir = closedDataDirectory()
    const { connectionString } = await postgresProcess([dataDir])
    expect(await query(connectionString, 'select 1 as answer')).toEqual([{ answer: 1 }])
    expect(realpathSync(join(dataDir, 'postgres', 'cluster'))).toBe(join(dataDir, 'postgres', 'cluster'))
  })

  test.skipIf(!canHideUnshare)('works from a copy where user namespaces are refused, and keeps its data', async () => {
    const dataDir = closedDataDirectory()
    const shelter = join(scratchFolder(), 'shelter')
    const first = await postgresProcess([dataDir, shelter], hidesUnshare)
    await query(first.connectionString, `create table note as select 'kept' as words`)
    expect(realpathSync(join(dataDir, 'postgres', 'cluster'))).toContain(shelter)
    await killHard(first.parent)
    await until('the server to end', () => !isRunning(first.server))
    const second = await postgresProcess([dataDir, shelter], hidesUnshare)
    expect(await query(second.connectionString, 'select words from note')).toEqual([{ words: 'kept' }])
  })
})
