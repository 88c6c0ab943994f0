/** @module-tag extended */
import { chmodSync, chownSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import { DataDirectoryInUse } from '@gatehouse/server/platform/postgres/lock'
import { scratchDatabase, templateDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { childrenOf, isRunning, killHard, postgresProcess, query } from '../support/embedded-postgres.ts'
import { keptLog } from '../support/kept-log.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

/** A user id that no account of the machine has. */
const STRANGER = 54_321

async function scratch(options: { template?: string } = {}): Promise<string> {
  const database = await scratchDatabase(options)
  onTestFinished(database.drop)
  return database.connectionString
}

async function embedded(dataDir: string) {
  const log = keptLog()
  const database = await startEmbeddedPostgres({ dataDir, log })
  onTestFinished(database.stop)
  return { ...database, log }
}

describe('a scratch database', () => {
  test('is empty and shared with nobody', async () => {
    const [one, other] = await Promise.all([scratch(), scratch()])
    await query(one, 'create table note (words text)')
    expect(await query(one, 'select words from note')).toEqual([])
    await expect(query(other, 'select words from note')).rejects.toThrow('does not exist')
  })

  test('copies a template that is prepared once for everybody', async () => {
    let prepared = 0
    const prepare = async (address: string) => {
      prepared += 1
      await query(address, `create table note as select 'from the template' as words`)
    }
    const names = await Promise.all([1, 2, 3].map(() => templateDatabase('postgres.test: one note', prepare)))
    expect(prepared).toBe(1)
    expect(new Set(names).size).toBe(1)
    const [one, other] = await Promise.all(names.slice(1).map((template) => scratch({ template })))
    await query(one ?? '', 'delete from note')
    expect(await query(other ?? '', 'select words from note')).toEqual([{ words: 'from the template' }])
  })

  test('finds letters in a Chinese name', async () => {
    const address = await scratch()
    await query(address, 'create extension pg_trgm')
    expect(await query(address, `select cardinality(show_trgm('张三丰')) > 0 as found`)).toEqual([{ found: true }])
  })
})

describe('the built-in database', () => {
  // Only root can change the owner of files.
  test.runIf(process.getuid?.() === 0)('leaves the files of another account alone', async () => {
    const dataDir = scratchFolder()
    const { stop } = await embedded(dataDir)
    await stop()
    const files = realpathSync(join(dataDir, 'postgres', 'cluster'))
    chownSync(files, STRANGER, STRANGER)
    await expect(embedded(dataDir)).rejects.toThrow(`belongs to the account ${STRANGER}`)
    expect(statSync(files).uid).toBe(STRANGER)
  })

  test('keeps its data over a restart, writes durably and asks for a password', async () => {
    const dataDir = scratchFolder()
    const first = await embedded(dataDir)
    await query(first.connectionString, `create table note as select 'kept' as words`)
    await first.stop()
    expect(isRunning(first.processId())).toBe(false)

    const second = await embedded(dataDir)
    expect(await query(second.connectionString, 'select words from note')).toEqual([{ words: 'kept' }])
    expect(await query(second.connectionString, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(statSync(join(dataDir, 'secrets', 'postgres-password')).mode & 0o777).toBe(0o600)
    const stranger = new URL(second.connectionString)
    stranger.password = 'guessed'
    await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('refuses a second start on the same data directory and goes on undisturbed', async () => {
    const dataDir = scratchFolder()
    const running = await postgresProcess([dataDir])
    const secondStart = startEmbeddedPostgres({ dataDir, log: keptLog() })
    await expect(secondStart).rejects.toThrow(DataDirectoryInUse)
    await expect(secondStart).rejects.toThrow(`(process ${running.parent.pid})`)
    expect(await query(running.connectionString, 'select 1 as answer')).toEqual([{ answer: 1 }])
  })

  test('is shut down in order when the program that started it is killed', async () => {
    const dataDir = scratchFolder()
    const { parent, server, connectionString } = await postgresProcess([dataDir])
    await query(connectionString, `create table note as select 'kept' as words`)
    await killHard(parent)
    await until('the server to end', () => !isRunning(server))
    const next = await embedded(dataDir)
    expect(next.log.lines).toEqual([])
    expect(await query(next.connectionString, 'select words from note')).toEqual([{ words: 'kept' }])
  })

  test('is taken over by the next start when it was left running', async () => {
    const dataDir = scratchFolder()
    const { parent, server, connectionString } = await postgresProcess([dataDir])
    await query(connectionString, `create table note as select 'kept' as words`)
    const guards = childrenOf(parent.pid ?? 0, 'gatehouse-postgres-guard')
    expect(guards).toHaveLength(1)
    for (const guard of guards) process.kill(guard, 'SIGKILL')
    await killHard(parent)
    expect(isRunning(server)).toBe(true)

    const next = await embedded(dataDir)
    expect(isRunning(server)).toBe(false)
    expect(next.log.lines.join()).toContain(`process ${server}`)
    expect(await query(next.connectionString, 'select words from note')).toEqual([{ words: 'kept' }])
  })
})

describe('the role of the server', () => {
  const powers = `select rolname as name, rolsuper as "isSuperuser", rolcreatedb as "createsDatabases", rolcreaterole as "createsRoles",
    rolreplication as replicates, rolbypassrls as "bypassesRowSecurity" from pg_roles where rolname = current_user`
  const PLAIN = {
    name: 'gatehouse_application',
    isSuperuser: false,
    createsDatabases: false,
    createsRoles: false,
    replicates: false,
    bypassesRowSecurity: false,
  }

  test('is no superuser, owns its database, and reaches neither files nor programs of the machine', async () => {
    const { connectionString } = await embedded(scratchFolder())
    expect(await query(connectionString, powers)).toEqual([PLAIN])
    expect(
      await query(connectionString, `select datdba::regrole::text as owner from pg_database where datname = current_database()`),
    ).toEqual([{ owner: PLAIN.name }])
    await query(connectionString, 'create extension pg_trgm')
    await query(connectionString, 'checkpoint')
    await expect(query(connectionString, `copy (select 1) to program 'true'`)).rejects.toThrow('permission denied')
    await expect(query(connectionString, `select pg_read_file('/etc/passwd')`)).rejects.toThrow('permission denied')
    await expect(query(connectionString, 'create role other superuser')).rejects.toThrow('permission denied')
    await expect(query(connectionString, `alter role ${PLAIN.name} superuser`)).rejects.toThrow('permission denied')
  })

  test('takes over what a superuser made before there was such a role', async () => {
    const dataDir = scratchFolder()
    const first = await embedded(dataDir)
    for (const statement of [
      'create extension pg_trgm',
      'create schema jobs',
      `create type jobs.state as enum ('created', 'done')`,
      'create function jobs.one() returns integer language sql as $$ select 1 $$',
      'create table jobs.job (id bigint generated always as identity, state jobs.state)',
      'create sequence number_of_note',
      `create table note (id serial, words text, at timestamptz default now()) partition by range (at)`,
      `create table note_all partition of note for values from (minvalue) to (maxvalue)`,
      'create view words as select words from note',
      `insert into note (words) values ('kept')`,
      'alter database gatehouse owner to gatehouse',
    ])
      await query(first.administratorConnectionString, statement)
    await query(first.administratorConnectionString, `drop owned by ${PLAIN.name}`)
    await query(first.administratorConnectionString, `revoke pg_checkpoint from ${PLAIN.name}`)
    await query(first.administratorConnectionString, `drop role ${PLAIN.name}`)
    await first.stop()
    rmSync(join(dataDir, 'secrets', 'postgres-application-password'))

    const { connectionString } = await embedded(dataDir)
    expect(await query(connectionString, powers)).toEqual([PLAIN])
    expect(await query(connectionString, 'select words from words')).toEqual([{ words: 'kept' }])
    for (const statement of [
      'alter table note add column more text',
      'alter table note detach partition note_all',
      'drop table note_all',
      'alter sequence number_of_note restart',
      `alter type jobs.state add value 'late'`,
      'create or replace function jobs.one() returns integer language sql as $$ select 2 $$',
      'drop view words',
      'drop schema jobs cascade',
      'vacuum note',
    ])
      await query(connectionString, statement)
  })
})

describe('the data directory', () => {
  test('is closed to other accounts, an existing one too', async () => {
    const dataDir = scratchFolder()
    mkdirSync(join(dataDir, 'postgres'))
    for (const folder of [dataDir, join(dataDir, 'postgres')]) chmodSync(folder, 0o755)
    await embedded(dataDir)
    // Under root the database runs as another account, which must be able to enter.
    const allowed = process.getuid?.() === 0 ? 0o711 : 0o700
    for (const folder of [dataDir, join(dataDir, 'postgres')]) expect(statSync(folder).mode & 0o777, folder).toBe(allowed)
  })
})
