/** Records of persons who were erased at the server: nameless once it has them, and left to their numbers. */
import type { DatabaseSync } from 'node:sqlite'
import type { Erasures, PictureOutbox } from '../device/store.ts'
import { clearLog, transaction } from './database.ts'

/** Under this name stands which erasure was taken last. */
const NEWEST = 'newestErasure'

/** What is done about records marked as of somebody erased. */
export interface Erasing {
  /** Makes those nameless that the server has. @returns how many there were */
  makeNameless(): number
  /** The same, and leaves nothing of them in the log. */
  finish(): void
  /** Whether some still wait for the server. */
  isWaiting(): boolean
}

export function createErasing(database: DatabaseSync): Erasing {
  const ready = database.prepare('SELECT 1 FROM record WHERE erased = 1 AND acknowledged_at IS NOT NULL LIMIT 1')
  const waiting = database.prepare('SELECT 1 FROM record WHERE erased = 1 LIMIT 1')
  const takeNames = database.prepare(`
    UPDATE record SET erased = 0, sealed = NULL, body = json_remove(
      json_set(body, '$.personId', NULL, '$.hasPicture', json('false')), '$.contactId')
    WHERE erased = 1 AND acknowledged_at IS NOT NULL`)

  const makeNameless = () => (ready.get() === undefined ? 0 : Number(takeNames.run().changes))

  return {
    makeNameless,
    finish() {
      if (makeNameless() > 0) clearLog(database)
    },
    isWaiting: () => waiting.get() !== undefined,
  }
}

export function createErasures(database: DatabaseSync, pictures: PictureOutbox): Erasures {
  const erasing = createErasing(database)
  const meta = database.prepare('SELECT value FROM meta WHERE name = ?')
  const putMeta = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const mark = database.prepare('UPDATE record SET erased = 1 WHERE person_id IN (SELECT value FROM json_each(?)) RETURNING id')
  const newest = () => (meta.get(NEWEST) as { value: string } | undefined)?.value ?? null

  return {
    newest,
    carriedOut: () => (erasing.isWaiting() ? null : newest()),
    take(personIds, upTo) {
      const marked = transaction(database, () => {
        const records = mark.all(JSON.stringify(personIds)) as { id: string }[]
        for (const { id } of records) pictures.drop(id)
        if (upTo === null) forgetErasures(database)
        else putMeta.run(NEWEST, upTo)
        return records.length + erasing.makeNameless()
      })
      if (marked > 0) clearLog(database)
    },
  }
}

/** All erasures are asked for again: records have come that nobody was looked for in. */
export function forgetErasures(database: DatabaseSync): void {
  database.prepare('DELETE FROM meta WHERE name = ?').run(NEWEST)
}
