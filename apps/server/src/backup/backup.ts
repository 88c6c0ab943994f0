/**
 * Takes a backup of an installation, also while its server runs. Database, files and secrets are consistent: the database is read in one
 * snapshot, and files that it refers to are not deleted before they are copied.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Config } from '../config.ts'
import { holdDeletions } from '../platform/database/backup-lock.ts'
import { openCrypto } from '../platform/encryption/crypto.ts'
import { assertRestored } from '../platform/database/restore-mark.ts'
import { openSecrets } from '../platform/encryption/secrets.ts'
import { openDisk, type Disk } from '../platform/storage/disk.ts'
import { keyOf } from '../platform/storage/sealed-files.ts'
import { VARIANTS } from '../platform/storage/variants.ts'
import { createArchive, type ArchiveWriter } from './archive.ts'
import { listMigrations, listSequences, listTables, quoted } from './catalog.ts'
import { openInstallation, type InstallationDatabase } from './database.ts'
import { FILES, fingerprintOf, MANIFEST, rowsOf, SECRET_NAME, SECRETS, writeManifest, type Table } from './manifest.ts'

/** Bytes of compressed rows in one member. */
const PIECE = 4 * 1_048_576
const ROWS_AT_ONCE = 500
/** Files read in parallel: one after another they would take long from a bucket. */
const FILES_AT_ONCE = 8
const REPORT_EVERY = 10_000
/** Most missing files that are named in the refusal. */
const NAMED = 5
const MASTER_KEY = 'master.key'

export interface BackupOptions {
  config: Config
  /** Path of the archive; there must be no such file. */
  file: string
  /** Leave out lost files instead of refusing the backup. */
  allowMissing?: boolean
  signal?: AbortSignal
  say(sentence: string): void
}

export interface BackupSummary {
  /** Bytes of the archive. */
  size: number
  files: number
  missing: number
  masterKeyIncluded: boolean
}

/**
 * Take a backup.
 * @throws Error with a sentence if it cannot be taken; then there is no archive
 */
export async function takeBackup({ config, file, allowMissing = false, signal, say }: BackupOptions): Promise<BackupSummary> {
  assertRestored(config.dataDir)
  const disk = await openDisk(config)
  const database = await openInstallation(config)
  try {
    const masterKey = await masterKeyOf(config, database)
    await holdDeletions(database.client)
    const archive = await createArchive(file, signal)
    try {
      await addDatabase(archive, config, database.client, masterKey)
      say('The database is saved. The files follow.')
      const { copied, missing } = await addFiles(archive, disk, database.client, say)
      if (missing.length > 0 && !allowMissing) throw new Error(missingSentence(missing))
      return { size: await archive.finish(), files: copied, missing: missing.length, masterKeyIncluded: masterKey.included }
    } catch (error) {
      await archive.discard()
      throw error
    }
  } finally {
    await database.close()
  }
}

/**
 * Find the master key and check that it opens the keys in the database: a backup with another one would be worthless.
 * @throws Error with a sentence if it is missing or the wrong one
 */
async function masterKeyOf({ dataDir, keyFile }: Config, { client, db }: InstallationDatabase) {
  const path = keyFile ?? join(dataDir, SECRETS, MASTER_KEY)
  if (!existsSync(path)) throw new Error(`The master key is missing: ${path}. Set KEY_FILE if it is elsewhere.`)
  const [table] = (await client.query(`SELECT to_regclass('data_key') IS NOT NULL AS present`)).rows as { present: boolean }[]
  if (table?.present !== true) throw new Error('The database holds no Gatehouse: start the server once, or set DATABASE_URL.')
  const crypto = await openCrypto(db, openSecrets(dataDir), keyFile)
  const parks = (await client.query('SELECT park_id FROM data_key')).rows as { park_id: string }[]
  for (const { park_id } of parks) {
    await crypto.opener(park_id).catch((error: unknown) => {
      throw new Error(`The master key in ${path} is not the one of this database. Check KEY_FILE, DATA_DIR and DATABASE_URL.`, {
        cause: error,
      })
    })
  }
  return { fingerprint: fingerprintOf(readFileSync(path, 'utf8')), included: keyFile === null }
}

/** Add manifest, secrets and the rows of all tables, and open a cursor over the files of the same snapshot. */
async function addDatabase(
  archive: ArchiveWriter,
  { dataDir }: Config,
  client: Client,
  masterKey: { fingerprint: string; included: boolean },
): Promise<void> {
  const before = await listTables(client)
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  // Locked before the snapshot is taken, so that no table is changed or detached between the two.
  await client.query(`LOCK TABLE ${before.map(({ name }) => quoted(name)).join(', ')} IN ACCESS SHARE MODE`)
  const tables = await listTables(client)
  const [migrations, sequences] = [await listMigrations(client), await listSequences(client)]
  await archive.add(MANIFEST, writeManifest({ madeAt: new Date().toISOString(), migrations, tables, sequences, masterKey }))
  for (const name of secretNames(join(dataDir, SECRETS), masterKey.included))
    await archive.add(SECRETS + name, await readFile(join(dataDir, SECRETS, name)))
  for (const table of tables) await addRows(archive, client, table)
  // The cursor outlives the transaction, whose locks end here: copying files may take long.
  await client.query('DECLARE stored_file CURSOR WITH HOLD FOR SELECT id, kept FROM file')
  await client.query('COMMIT')
}

/**
 * Return the names of secrets, without files that are being written. The master key is left out if the installation stores it elsewhere.
 */
const secretNames = (folder: string, withMasterKey: boolean): string[] =>
  readdirSync(folder).filter((name) => SECRET_NAME.test(name) && !name.endsWith('.new') && (withMasterKey || name !== MASTER_KEY))

async function addRows(archive: ArchiveWriter, client: Client, { name, columns }: Table): Promise<void> {
  const list = columns.map((column) => quoted(column.name)).join(', ')
  let number = 0
  const addPiece = (parts: readonly Buffer[]) =>
    archive.add(`${rowsOf(name)}${String(++number).padStart(6, '0')}.zst`, Buffer.concat(parts))
  await pipeline(
    client.query(copyTo(`COPY ${quoted(name)} (${list}) TO STDOUT`)),
    createZstdCompress(),
    async (compressed: AsyncIterable<Buffer>) => {
      let parts: Buffer[] = []
      let size = 0
      for await (const part of compressed) {
        parts.push(part)
        size += part.length
        if (size < PIECE) continue
        await addPiece(parts)
        parts = []
        size = 0
      }
      if (size > 0) await addPiece(parts)
    },
  )
}

/** Add the files of the snapshot. The server makes missing small pictures again; a missing full one cannot be replaced. */
async function addFiles(
  archive: ArchiveWriter,
  disk: Disk,
  client: Client,
  say: (sentence: string) => void,
): Promise<{ copied: number; missing: string[] }> {
  const missing: string[] = []
  let copied = 0
  for (;;) {
    const { rows } = await client.query<{ id: string; kept: boolean }>(`FETCH ${ROWS_AT_ONCE} FROM stored_file`)
    if (rows.length === 0) return { copied, missing }
    for (let at = 0; at < rows.length; at += FILES_AT_ONCE) {
      const names = rows
        .slice(at, at + FILES_AT_ONCE)
        .flatMap(({ id, kept }) => VARIANTS.map((variant) => ({ name: keyOf(id, variant), isNeeded: kept && variant === 'full' })))
      const contents = await Promise.all(names.map(({ name }) => disk.read(name)))
      for (const [number, { name, isNeeded }] of names.entries()) {
        const content = contents[number]!
        if (content !== null) {
          await archive.add(FILES + name, content)
          if (++copied % REPORT_EVERY === 0) say(`${copied} files are saved.`)
        } else if (isNeeded) missing.push(name)
      }
    }
  }
}

function missingSentence(missing: readonly string[]): string {
  const named = missing.slice(0, NAMED).join(', ')
  return (
    `${missing.length} files that the database refers to are missing: ${named}${missing.length > NAMED ? ' …' : ''}. ` +
    'No backup was made. If they are lost for good, --allow-missing makes one without them.'
  )
}
