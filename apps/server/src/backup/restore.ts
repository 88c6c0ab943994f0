/**
 * Restores a backup into an empty data directory and an empty database. The whole archive is checked before anything is written. The rows
 * are committed at the very end; until then a mark keeps a server from starting on the directory.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createZstdDecompress } from 'node:zlib'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Config } from '../config.ts'
import { migrate, noKeys, type ContextMigration } from '../platform/database/migrations.ts'
import { assertOurs } from '../platform/postgres/account.ts'
import { restoreMark } from '../platform/database/restore-mark.ts'
import { readArchive, type Member } from './archive.ts'
import { listTables, quoted } from './catalog.ts'
import { openCrypto } from '../platform/encryption/crypto.ts'
import { openSecrets } from '../platform/encryption/secrets.ts'
import { markDisk } from '../platform/storage/claim.ts'
import { openDisk, type Disk } from '../platform/storage/disk.ts'
import { assertNothingThere, openNewInstallation, type InstallationDatabase } from './database.ts'
import { FILE_NAME, FILES, fingerprintOf, readManifest, rowsOf, SECRET_NAME, SECRETS, type Manifest, type Table } from './manifest.ts'

/** Options for a file that only the owner may read, and that is on disk when its promise resolves. */
const NEW_FILE = { flag: 'wx', mode: 0o600, flush: true } as const
/** Files written in parallel: one after another they would take minutes. */
const FILES_AT_ONCE = 32

export interface RestoreOptions {
  config: Config
  /** Path of the archive. */
  file: string
  /** All migrations of this release. */
  migrations: readonly ContextMigration[]
  say(sentence: string): void
}

export interface RestoreSummary {
  /** ISO 8601. */
  madeAt: string
  files: number
  /** Migrations that the next start of the server will run. */
  pending: number
}

/**
 * Restore a backup.
 * @throws Error with a sentence if it cannot be restored
 */
export async function restoreBackup({ config, file, migrations, say }: RestoreOptions): Promise<RestoreSummary> {
  const { dataDir } = config
  const manifest = await verify(config, file)
  assertKnown(manifest, migrations, file)
  await assertNothingThere(config)
  const disk = await openDisk(config)
  if (!(await disk.isEmpty()))
    throw new Error('The bucket that STORAGE_URL names is not empty. A backup is restored into an empty one only.')
  if (existsSync(dataDir)) assertOurs(dataDir)
  say('The archive is complete and undamaged.')
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(restoreMark(dataDir), '')
  sync(dataDir)
  const members = await openMembers(file)
  let files = 0
  try {
    await restoreSecrets(members, dataDir)
    const database = await openNewInstallation(config)
    try {
      await database.db.transaction().execute(async (tx) => {
        await database.client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
        await makeTables(database.client, tx, manifest, migrations)
        for (const table of manifest.tables) await restoreRows(members, database.client, table)
        // The backup does not record cipher texts that were used after it; without their keys none of them can be used again.
        if (manifest.tables.some(({ name }) => name === 'login_key')) await database.client.query('DELETE FROM login_key')
        for (const { name, value } of manifest.sequences)
          if (value !== null) await database.client.query('SELECT setval($1::regclass, $2)', [quoted(name), value])
        say('The database is restored. The files follow.')
        files = await restoreFiles(members, disk)
        if (members.current !== null) throw new Error(`${file} holds ${members.current.name}, which this release does not know.`)
      })
      await database.client.query('ANALYZE')
      if (config.storage !== null) await markDisk(disk, await openCrypto(database.db, openSecrets(dataDir), config.keyFile))
    } finally {
      await database.close()
    }
  } catch (error) {
    say(
      'The restore stopped half-way: what is in ' +
        `${dataDir}${config.storage === null ? '' : ' and in the bucket'} is of no use. Empty it before the next ` +
        'attempt.',
    )
    throw error
  } finally {
    await members.close()
  }
  rmSync(restoreMark(dataDir))
  sync(dataDir)
  return { madeAt: manifest.madeAt, files, pending: migrations.length - manifest.migrations.length }
}

/** Read the whole archive once. @throws Error with a sentence if it is damaged, or belongs to another master key */
async function verify({ keyFile }: Config, file: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  let masterKey = keyFile === null ? null : readFileSync(keyFile, 'utf8')
  for await (const { name, content } of readArchive(file)) {
    manifest ??= readManifest(file, name, content)
    if (keyFile === null && name === `${SECRETS}master.key`) masterKey = content.toString()
  }
  if (manifest === undefined) throw new Error(`${file} is no backup of Gatehouse.`)
  if (masterKey === null)
    throw new Error('The backup holds no master key, because the installation kept it elsewhere. Set KEY_FILE to a copy of that key.')
  if (fingerprintOf(masterKey) !== manifest.masterKey.fingerprint)
    throw new Error(`The backup was made with another master key than the one in ${keyFile ?? 'it'}.`)
  return manifest
}

function assertKnown({ migrations: ran }: Manifest, migrations: readonly ContextMigration[], file: string): void {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = ran.filter((name) => !names.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `${file} was made by a newer release: its database has ${unknown.length} changes that this release does not know (${unknown[0]}). ` +
      'Restore it with that release or a newer one.',
  )
}

/** Access to the members of an archive, one at a time. */
interface Members {
  /** The next member; null at the end. */
  readonly current: Member | null
  /** Yield the following members whose names start with the prefix. */
  starting(prefix: string): AsyncGenerator<Member, void, undefined>
  /** Close the file; needed where not all members were read. */
  close(): Promise<void>
}

/** Open an archive and skip its manifest. */
async function openMembers(file: string): Promise<Members> {
  const source = readArchive(file)
  let current: Member | null = null
  const advance = async (): Promise<void> => {
    current = (await source.next()).value ?? null
  }
  await advance()
  await advance()
  return {
    get current() {
      return current
    },
    close: async () => void (await source.return()),
    async *starting(prefix) {
      for (; current?.name.startsWith(prefix) === true; await advance()) yield { ...current, name: current.name.slice(prefix.length) }
    },
  }
}

async function restoreSecrets(members: Members, dataDir: string): Promise<void> {
  mkdirSync(join(dataDir, SECRETS), { mode: 0o700 })
  for await (const { name, content } of members.starting(SECRETS)) {
    if (!SECRET_NAME.test(name)) throw new Error(`the backup holds a secret of the name ${name}`)
    await writeFile(join(dataDir, SECRETS, name), content, NEW_FILE)
  }
}

/** Create the tables as they were: with the migrations the database had run, and the months the server had added. */
async function makeTables(
  client: Client,
  tx: InstallationDatabase['db'],
  { tables, migrations: ran }: Manifest,
  migrations: readonly ContextMigration[],
): Promise<void> {
  await migrate(
    tx,
    migrations.filter(({ name }) => ran.includes(name)),
    noKeys,
  )
  for (const { name, monthOf, bounds } of tables) {
    if (monthOf === null) continue
    await client.query(`CREATE TABLE ${quoted(name)} (LIKE ${quoted(monthOf)} INCLUDING ALL)`)
    if (bounds !== null) await client.query(`ALTER TABLE ${quoted(monthOf)} ATTACH PARTITION ${quoted(name)} ${bounds}`)
  }
  const byName = (list: readonly Table[]) => new Map(list.map((table) => [table.name, table]))
  const [expected, made] = [byName(tables), byName(await listTables(client))]
  const different = [...new Set([...expected.keys(), ...made.keys()])].filter(
    (name) => !isDeepStrictEqual(expected.get(name), made.get(name)),
  )
  if (different.length > 0)
    throw new Error(
      `The tables of the backup are not those of this release: ${different.join(', ')}. Restore it with the release that made it.`,
    )
  // Migrations insert rows into some tables; the backup contains them in their latest state.
  await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(', ')}`)
}

async function restoreRows(members: Members, client: Client, { name, columns }: Table): Promise<void> {
  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    for await (const { content } of members.starting(rowsOf(name))) yield content
  }
  const list = columns.map((column) => quoted(column.name)).join(', ')
  await pipeline(
    Readable.from(pieces(), { objectMode: false }),
    createZstdDecompress(),
    client.query(copyFrom(`COPY ${quoted(name)} (${list}) FROM STDIN`)),
  )
}

/** Write all files to the configured disk. @returns how many */
async function restoreFiles(members: Members, disk: Disk): Promise<number> {
  let count = 0
  let writing: Promise<void>[] = []
  for await (const { name, content } of members.starting(FILES)) {
    if (!FILE_NAME.test(name)) throw new Error(`the backup holds a file of the name ${name}`)
    writing.push(disk.create(name, content))
    count++
    if (writing.length < FILES_AT_ONCE) continue
    await Promise.all(writing)
    writing = []
  }
  await Promise.all(writing)
  return count
}

/** Write a folder's entries to the disk. */
function sync(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
