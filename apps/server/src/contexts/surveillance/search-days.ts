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
import type { CaptureTemplates } from './search-templates.ts'

export interface SearchDays {
  /** The thread that searches. Another one takes its place when it dies; searches of the former one are rejected. */
  worker(): CaptureSearchWorker
  /** Scan a day, which is read first where it is not in memory. @returns how many captures were compared */
  scan(scope: Scope, day: number, search: CaptureSearch, filter: CaptureFilter): Promise<number>
  /** Take over what happened to these captures; null: all of the park were deleted. */
  refresh(scope: Scope, captureIds: readonly string[] | null): Promise<void>
  close(): Promise<void>
}

interface ResidentDay {
  parkId: string
  day: number
  bytes: number
  /** Searches that are about to scan it. */
  uses: number
  ready: Promise<void>
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
  /** The least recently used first. */
  const resident = new Map<string, ResidentDay>()
  let current: CaptureSearchWorker | null = null

  const keyOf = ({ parkId }: Scope, day: number): string => `${parkId}/${day}`

  function worker(): CaptureSearchWorker {
    current ??= new CaptureSearchWorker({
      modelId,
      dimensions,
      onDeath(error) {
        log.error({ err: error }, 'days of captures have to be read again')
        current = null
        resident.clear()
      },
    })
    return current
  }

  function drop(key: string): void {
    if (resident.delete(key)) current?.drop(key)
  }

  /** Give days back that no search uses, the least recently used first, until there is room for so many bytes. */
  function makeRoom(bytes: number): void {
    let taken = [...resident.values()].reduce((sum, day) => sum + day.bytes, 0)
    for (const [key, day] of resident) {
      if (taken + bytes <= memory) return
      if (day.uses > 0) continue
      taken -= day.bytes
      drop(key)
    }
  }

  async function fill(scope: Scope, day: ResidentDay, key: string): Promise<void> {
    const into = worker()
    const rows = await data.countOfDay(scope, db, day.day, modelId)
    const bytes = rows * rowBytes + DAY_BYTES
    makeRoom(bytes)
    day.bytes = bytes
    into.reserve(key, rows)
    for await (const page of pagesOfDay(scope, db, day.day, modelId)) into.put(key, await templates.columnsOf(scope, page))
  }

  /** Return a day that is in memory, most recently used, and stays there until `uses` is counted down. */
  async function use(scope: Scope, day: number): Promise<ResidentDay> {
    const key = keyOf(scope, day)
    const found = resident.get(key)
    if (found !== undefined) {
      resident.delete(key)
      resident.set(key, found)
      found.uses++
      await found.ready
      return found
    }
    const made: ResidentDay = { parkId: scope.parkId, day, bytes: 0, uses: 1, ready: Promise.resolve() }
    resident.set(key, made)
    made.ready = fill(scope, made, key)
    made.ready.catch(() => {
      if (resident.get(key) === made) drop(key)
    })
    await made.ready
    return made
  }

  return {
    worker,
    async scan(scope, day, search, filter) {
      const used = await use(scope, day)
      try {
        return await search.scan(keyOf(scope, day), filter)
      } finally {
        used.uses--
      }
    },
    async refresh(scope, captureIds) {
      const days = [...resident].filter(([, { parkId }]) => parkId === scope.parkId)
      if (days.length === 0) return
      if (captureIds === null) {
        for (const [key] of days) drop(key)
        return
      }
      try {
        // What is read of a day now may be older than what happened.
        await Promise.all(days.map(([, { ready }]) => ready))
        const rows = await data.readTemplates(scope, db, captureIds, modelId)
        const present = new Set(rows.map(({ id }) => id))
        const deletedIds = captureIds.filter((id) => !present.has(id))
        for (const [key] of days) if (resident.has(key)) current?.blank(key, deletedIds)
        for (const [day, ofDay] of Map.groupBy(rows, ({ capturedAt }) => Math.floor(capturedAt / data.DAY_MS))) {
          const columns = await templates.columnsOf(scope, ofDay)
          const found = resident.get(keyOf(scope, day))
          if (found === undefined) continue
          found.bytes += columns.ids.length * rowBytes
          current?.put(keyOf(scope, day), columns)
        }
      } catch (error) {
        // A day that missed something must not be searched.
        for (const [key] of days) drop(key)
        throw error
      }
    },
    async close() {
      resident.clear()
      await current?.close()
      current = null
    },
  }
}
