/** E-mails about alarms. An area that stores an alarm notes it in the same transaction; what is sent of it is decided afterwards. */
import { createHash } from 'node:crypto'
import type { AlarmKind, unsentAlarm } from '@gatehouse/contract/alarms/email'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Paging } from '../../platform/database/page.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import { hourOf } from './alarm-mail-rules.ts'
import { createAlarmMailSending, isWanted, type AlarmMailNeeds } from './alarm-mail-sending.ts'
import * as data from './alarm-mails-data.ts'
import { alarmNoted } from './events.ts'

/** An alarm that e-mails may be sent about. */
export interface NotedAlarm {
  alarmId: string
  kind: AlarmKind
  /** When it happened. */
  at: number
  /** Equal for alarms that are repeats of each other: of one person at one device, of one event at one camera. */
  key: string
  level: number
  /** Of a device: the number of its `alarmType`. Of an AI box: the word of the event. */
  event?: string
  /** How an AI box names its event. */
  eventName?: string
  /** Camera of an AI box. */
  place?: string
  deviceId: string
  deviceName: string
  /** The monitoring task. */
  surveillanceName?: string
  /** Its name is looked up when the e-mail is written; persons of the watch list are not named. */
  personId?: string | null
}

export interface AlarmMails {
  /** Note an alarm in the transaction that stores it. Does nothing where the park wants no e-mails. */
  note(tx: Transaction, scope: Scope, alarm: NotedAlarm): Promise<void>
  /** Send what is due in a park because of new alarms. */
  sendNew(scope: Scope): Promise<void>
  unsent(
    scope: Scope,
    query: Paging & { reason?: z.output<typeof unsentAlarm>['reason'] | undefined },
  ): Promise<Paging & { total: number; content: z.output<typeof unsentAlarm>[] }>
  jobs: readonly Job[]
  count(scope: Scope, personIds: readonly string[]): Promise<number>
  /** Delete what names these persons; return how much. */
  forget(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<number>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

/** What became of an alarm is of interest for a month. */
const KEPT_MS = 30 * 86_400_000

const keyOf = ({ kind, key }: NotedAlarm): string => createHash('sha256').update(`${kind} ${key}`).digest('base64url').slice(0, 24)

export function createAlarmMails(platform: Platform, needs: AlarmMailNeeds): AlarmMails {
  const { db, clock } = platform
  const { settings } = needs

  const send = createAlarmMailSending(platform, needs)

  return {
    async note(tx, scope, alarm) {
      if (!isWanted(settings(scope))) return
      const { alarmId, kind, at, level, deviceId, deviceName } = alarm
      const { event = '', eventName = '', place = '', surveillanceName = '', personId = null } = alarm
      await data.insertAlarmMail(scope, tx, {
        id: newId(),
        alarmId,
        kind,
        occurredAt: at,
        notedAt: clock.now(),
        key: keyOf(alarm),
        level,
        event,
        eventName,
        place,
        deviceId,
        deviceName,
        surveillanceName,
        personId,
      })
      await platform.events.announce(tx, alarmNoted, scope.parkId, {})
    },
    async sendNew(scope) {
      if (await data.hasPending(scope, db)) await send(scope)
    },
    async unsent(scope, query) {
      const { content, total } = await data.listUnsent(scope, db, query)
      return { total, content, page: query.page, size: query.size }
    },
    jobs: [
      {
        name: 'alarms.sendMails',
        schedule: '* * * * *',
        async run() {
          const now = clock.now()
          const parkIds = await data.listDueParksUnscoped(db, { now, hour: hourOf(now) })
          for (const parkId of parkIds) await send({ parkId })
          return { outcome: parkIds.length > 0 ? 'success' : 'skipped' }
        },
      },
      {
        name: 'alarms.dropMails',
        schedule: '29 3 * * *',
        async run() {
          const deleted = await data.deleteOldUnscoped(db, clock.now() - KEPT_MS)
          return { outcome: deleted > 0 ? 'success' : 'skipped' }
        },
      },
    ],
    count: (scope, personIds) => data.countOfPersons(scope, db, personIds),
    forget: (tx, scope, personIds) => data.deleteOfPersons(scope, tx, personIds),
    erasePark: (tx, scope) => data.deleteMailsOfPark(scope, tx),
  }
}
