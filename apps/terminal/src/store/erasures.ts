/** Records of persons erased at the server. They are anonymised once the server has them, and then keep only their numbers. */
import type { DatabaseSync } from 'node:sqlite'
import type { Erasures, PictureOutbox } from '../device/store.ts'
import { clearLog, transaction } from './database.ts'

/** Name under which the erasure taken last is stored. */
const NEWEST = 'newestErasure'

/** Work on records marked as those of erased persons. */
export interface Erasing {
  /** Anonymise those the server has. @returns how many there were */
  makeNameless(): number
  /** Do the same, and remove the old content from the log. */
  finish(): void
  /** Return whether some still wait for the server. */
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

/** Forget the last erasure, so that all are requested again: there are records that were not searched for erased persons. */
export function forgetErasures(database: DatabaseSync): void {
  database.prepare('DELETE FROM meta WHERE name = ?').run(NEWEST)
}
