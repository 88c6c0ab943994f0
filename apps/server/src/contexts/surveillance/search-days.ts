/**
 * Days of captures in memory: read when a search needs them, given back when others need the room, and kept current by events. A day is of
 * one park and of UTC.
 */
import { CaptureSearchWorker, type CaptureFilter, type CaptureSearch } from '../faces/index.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './search-data.ts'
import type { TemplateOfCapture } from './search-data.ts'
import type { TemplateChange } from './search-events.ts'
import { createDaysInMemory, type ReadDay } from './search-memory.ts'
import type { CaptureTemplates } from './search-templates.ts'

export interface SearchDays {
  /** The thread that searches. Another one takes its place when it dies; searches of the former one are rejected. */
  worker(): CaptureSearchWorker
  /**
   * Scan days, in any order: those in memory several at once, then the others, each of which is read first.
   * @param filterOf called before each day @returns how many captures were compared
   */
  scan(scope: Scope, days: readonly number[], search: CaptureSearch, filterOf: (day: number) => Promise<CaptureFilter>): Promise<number>
  /** Take over what happened to captures. */
  refresh(scope: Scope, change: TemplateChange): Promise<void>
  close(): Promise<void>
}

/** Captures that are read at a time. */
const PAGE = 2000
/** Bytes beside the codes, of each capture; and of each day. */
const ROW_BYTES = 42
const DAY_BYTES = 256 * 1024

/** Read the templates of a day; the next page is read while one is used. */
async function* pagesOfDay(scope: Scope, db: Database, day: number, modelId: string): AsyncGenerator<TemplateOfCapture[]> {
  let coming = data.readOfDay(scope, db, day, modelId, null, PAGE)
  for (;;) {
    const page = await coming
    if (page.length === PAGE) {
      coming = data.readOfDay(scope, db, day, modelId, page.at(-1)!, PAGE)
      // Awaited in the next iteration; until then its rejection must not count as unhandled.
      coming.catch(() => {})
    }
    yield page
    if (page.length < PAGE) return
  }
}

export function createSearchDays(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  templates: Pick<CaptureTemplates, 'columnsOf'>,
  { modelId, dimensions }: { modelId: string; dimensions: number },
  memory: number,
): SearchDays {
  const rowBytes = Math.ceil(dimensions / 16) * 16 + ROW_BYTES
  let current: CaptureSearchWorker | null = null
  const days = createDaysInMemory(memory, (segment) => current?.drop(segment))

  function worker(): CaptureSearchWorker {
    current ??= new CaptureSearchWorker({
      modelId,
      dimensions,
      onDeath(error) {
        log.error({ err: error }, 'days of captures have to be read again')
        current = null
        days.clear()
      },
    })
    return current
  }

  async function fill(scope: Scope, made: ReadDay): Promise<void> {
    const into = worker()
    const rows = await data.countOfDay(scope, db, made.day, modelId)
    const bytes = rows * rowBytes + DAY_BYTES
    days.makeRoom(bytes)
    made.bytes = bytes
    into.open(made.segment, rows)
    for await (const page of pagesOfDay(scope, db, made.day, modelId)) into.put(made.segment, await templates.columnsOf(scope, page))
    into.complete(made.segment)
  }

  /** Return a day, which is being read where it was not in memory; it stays until it is given back. */
  const take = (scope: Scope, day: number): ReadDay => days.take(scope, day, (made) => fill(scope, made))

  async function scanDay(taken: ReadDay, search: CaptureSearch, filterOf: (day: number) => Promise<CaptureFilter>): Promise<number> {
    const [filter] = await Promise.all([filterOf(taken.day), taken.ready])
    try {
      return await search.scan(taken.segment, filter)
    } catch (error) {
      days.retire(taken)
      throw error
    }
  }

  return {
    worker,
    async scan(scope, scanned, search, filterOf) {
      const waiting = scanned.filter((day) => days.has(scope, day)).map((day) => take(scope, day))
      const inMemory = new Set(waiting.map(({ day }) => day))
      let compared = 0
      const scanNext = async (taken: ReadDay) => {
        try {
          // Added after the wait: others add meanwhile.
          const ofDay = await scanDay(taken, search, filterOf)
          compared += ofDay
        } finally {
          days.giveBack(taken)
        }
      }
      // Each thread is given its next day while it is at one.
      const lanes = Array.from({ length: 2 * worker().threads }, async () => {
        for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) await scanNext(taken)
      })
      try {
        await Promise.all(lanes)
      } finally {
        for (const taken of waiting.splice(0)) days.giveBack(taken)
      }
      for (const day of scanned) if (!inMemory.has(day)) await scanNext(take(scope, day))
      return compared
    },
    async refresh(scope, { captureIds, days: changed }) {
      const affected = days.of(scope).filter(({ day }) => changed?.includes(day) !== false)
      if (affected.length === 0) return
      if (captureIds === null) {
        for (const day of affected) days.retire(day)
        return
      }
      try {
        // What is read of a day now may be older than what happened.
        await Promise.all(affected.map(({ ready }) => ready))
        const rows = await data.readTemplates(scope, db, captureIds, modelId)
        const present = new Set(rows.map(({ id }) => id))
        const deletedIds = captureIds.filter((id) => !present.has(id))
        const ofDay = Map.groupBy(rows, ({ capturedAt }) => Math.floor(capturedAt / data.DAY_MS))
        for (const day of affected) {
          const columns = await templates.columnsOf(scope, ofDay.get(day.day) ?? [])
          if (!days.takesMemory(day)) continue
          current?.blank(day.segment, deletedIds)
          day.bytes += columns.ids.length * rowBytes
          current?.put(day.segment, columns)
        }
      } catch (error) {
        // A day that missed something must not be searched.
        for (const day of affected) days.retire(day)
        throw error
      }
    },
    async close() {
      days.clear()
      await current?.close()
      current = null
    },
  }
}
