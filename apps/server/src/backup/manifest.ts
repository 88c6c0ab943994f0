/** The manifest, which is the first member of an archive, and the names of the other members. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'

export const MANIFEST = 'gatehouse-backup.json'
/** Incremented when a release can no longer read what an earlier one wrote. */
const FORMAT = 1

const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const table = z.strictObject({
  name: identifier,
  /** Without generated columns; sorted by name. */
  columns: z.array(z.strictObject({ name: identifier, type: z.string() })).min(1),
  /** The table that this one is a month of, created by the running server; null: a migration creates the table. */
  monthOf: identifier.nullable(),
  /** The month's bounds; null: the month no longer belongs to its table, or the table is not a month. */
  bounds: z
    .string()
    .regex(/^FOR VALUES FROM \('[\d :+-]+'\) TO \('[\d :+-]+'\)$/)
    .nullable(),
})

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** ISO 8601, UTC. */
  madeAt: z.string(),
  /** Names of the migrations the database has run. */
  migrations: z.array(z.string()).min(1),
  /** In an order in which rows can be inserted: a table comes after those it refers to. */
  tables: z.array(table),
  /** `value` is the last value assigned; null: none was. */
  sequences: z.array(z.strictObject({ name: identifier, value: z.string().regex(/^\d+$/).nullable() })),
  masterKey: z.strictObject({ fingerprint: z.string(), included: z.boolean() }),
})

export type Table = z.infer<typeof table>
export type Manifest = z.infer<typeof manifest>

export const writeManifest = (content: Omit<Manifest, 'format'>): Buffer =>
  Buffer.from(JSON.stringify({ format: FORMAT, ...content } satisfies Manifest))

/** Return the manifest in the first member. @throws Error with a sentence if this release cannot read the archive */
export function readManifest(path: string, name: string, content: Buffer): Manifest {
  if (name !== MANIFEST) throw new Error(`${path} is no backup of Gatehouse.`)
  const found = JSON.parse(content.toString()) as { format?: unknown }
  if (found.format !== FORMAT)
    throw new Error(
      `${path} has format ${String(found.format)}; this release reads format ${FORMAT}. Restore it with the release that made it.`,
    )
  return manifest.parse(found)
}

export const SECRETS = 'secrets/'
export const FILES = 'files/'
export const SECRET_NAME = /^[\w.-]+$/
export const FILE_NAME = /^([0-9a-f]{2})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\w+)$/
/** Return the prefix of a table's members: its rows in PostgreSQL's text format, compressed with zstd and cut into pieces. */
export const rowsOf = (tableName: string): string => `database/${tableName}/`

/** Return a fingerprint that identifies a master key without revealing anything about it. */
export const fingerprintOf = (masterKey: string): string => createHmac('sha256', masterKey.trim()).update('gatehouse backup').digest('hex')
