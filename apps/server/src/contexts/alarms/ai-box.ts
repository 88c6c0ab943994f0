/** Alarms of AI boxes: listed, shown live, handled, and dropped after a year. */
import { pageOf } from '@gatehouse/contract'
import { AI_BOX_EVENTS, isKnownEvent } from '@gatehouse/contract/alarms/ai-box'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { refuse } from '../../platform/http/refusal.ts'
import * as data from './ai-box-data.ts'
import { createAiBoxPresentation } from './ai-box-presentation.ts'
import type { AiBoxAlarms } from './ai-box-types.ts'
import { enumWord, eventWord } from './alarm-words.ts'
import { aiBoxAlarmsChanged } from './events.ts'
import { canDispose } from './policy.ts'

/** Cameras and events offered to filter by. */
const WORDS_MAX = 1000
/** Alarms are kept for as long as the longest window of a list. */
const KEPT_MS = 366 * 86_400_000
const DELETED_AT_ONCE = 1000

export function createAiBoxAlarms(platform: Platform): AiBoxAlarms {
  const { db, clock, storage } = platform
  const { bubbleOf, present } = createAiBoxPresentation(storage)

  async function deleteOld(): Promise<number> {
    const before = clock.now() - KEPT_MS
    let deleted = 0
    for (;;) {
      const count = await platform.transaction(async (tx) => {
        const rows = await data.deleteOldUnscoped(tx, before, DELETED_AT_ONCE)
        for (const [parkId, ofPark] of Map.groupBy(rows, (row) => row.parkId))
          await storage.release(
            tx,
            { parkId },
            ofPark.flatMap(({ fileId }) => fileId ?? []),
          )
        return rows.length
      })
      deleted += count
      if (count < DELETED_AT_ONCE) break
    }
    await data.deleteOldWordsUnscoped(db, before)
    return deleted
  }

  return {
    bubbles: {
      async rows(scope, ids) {
        return inOrderOf(ids, await data.findAlarms(scope, db, ids)).map((row) => bubbleOf(scope, row))
      },
      async seen(scope, ids) {
        const visible = new Set((await data.findAlarms(scope, db, ids)).map(({ id }) => id))
        return ids.filter((id) => visible.has(id))
      },
    },
    cameras: (scope) => data.listWords(scope, db, 'camera', WORDS_MAX),
    levels: (language) => alarmLevel.values.map((value) => ({ value: String(value), name: enumWord(language, alarmLevel.name, value) })),
    async events(scope, language) {
      const own = (await data.listWords(scope, db, 'event', WORDS_MAX)).filter(({ value }) => !isKnownEvent(value))
      return [
        ...AI_BOX_EVENTS.map((value) => ({ value, name: eventWord(language, value, '') })),
        ...own.map(({ value, name }) => ({ value, name: name || value })),
      ]
    },
    async list(scope, query, language) {
      const page = pageOf(query)
      const filter = { ...query, ...momentsOf(query, clock.now()) }
      const [rows, total] = await Promise.all([
        data.listAlarms(scope, db, filter, placeOf({ ...page, after: query.after })),
        data.countAlarms(scope, db, filter),
      ])
      const content = rows.slice(0, page.size).map((row) => present(scope, row, language))
      return newestFirst(
        page,
        total,
        rows.map(({ id, eventTime: time }) => ({ id, time })),
        content,
      )
    },
    dispose: (scope, { operator }, { id, status, dealingRecord = '' }, language) =>
      platform.transaction(async (tx) => {
        const row = (await data.lockAlarm(scope, tx, id)) ?? refuse(500012)
        if (!canDispose(row)) refuse(500013)
        const handling = { status, operator, dealingRecord, dealtAt: clock.now() }
        await data.updateHandling(scope, tx, id, handling)
        platform.audit.note({
          entity: 'aiBoxAlarm',
          id,
          label: row.deviceName,
          before: { status: row.status },
          after: { status },
        })
        await platform.events.announce(tx, aiBoxAlarmsChanged, scope.parkId, { ids: [id] })
        return present(scope, { ...row, ...handling }, language)
      }),
    job: {
      name: 'alarms.dropAiBoxAlarms',
      schedule: '19 3 * * *',
      async run() {
        const deleted = await deleteOld()
        return { outcome: deleted > 0 ? 'success' : 'skipped' }
      },
    },
    async erasePark(tx, scope) {
      const { count, fileIds } = await data.deleteAlarmsOfPark(scope, tx)
      await storage.release(tx, scope, fileIds)
      return count
    },
  }
}
