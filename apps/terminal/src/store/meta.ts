/** Single values of a store, by name. */
import type { DatabaseSync } from 'node:sqlite'
import type { z } from 'zod'

/** Return null if there is none. */
export function readMeta(database: DatabaseSync, name: string): string | null {
  return (database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value ?? null
}

export function writeMeta(database: DatabaseSync, name: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value)
}

export function dropMeta(database: DatabaseSync, name: string): void {
  database.prepare('DELETE FROM meta WHERE name = ?').run(name)
}

/** Parse a stored text; null if this version cannot read it, because another one wrote it. */
export function readable<Output>(schema: z.ZodType<Output>, text: string | null): Output | null {
  try {
    return (text && schema.safeParse(JSON.parse(text)).data) || null
  } catch {
    return null
  }
}
