/** What doors say of visitors: who has come, who was signed off by leaving, who left. */
import { accessResult, passDirection } from '@gatehouse/contract/enums'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { statusAfter, type VisitEvent } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PassageFacts, Span } from '../records/index.ts'
import { announceStatus } from './announcing.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { Notices } from './notices.ts'
import { isEnded, statusOf } from './policy.ts'
import type { Passes } from './passes.ts'
import type { Rights } from './rights.ts'
import { changeVisit, findVisitsOfPersons, lockVisit, type VisitChange } from './visits-data.ts'

export interface VisitPassages {
  /** Take over what records say, in whatever order and however often they come. */
  recorded(scope: Scope, recordIds: readonly string[], span?: Span): Promise<void>
}

/** The server's moment of a passage; never after the record was there. */
const correctedTime = ({ occurredAt, clockOffsetMs, receivedAt }: PassageFacts): number =>
  Math.min(occurredAt + (clockOffsetMs ?? 0), receivedAt)

export function createVisitPassages(
  platform: Platform,
  { passages }: Pick<VisitorsDependencies, 'passages'>,
  configuration: Configuration,
  rights: Rights,
  passes: Pick<Passes, 'passed'>,
  notices: Notices,
): VisitPassages {
  /** Return what a passage is for a visit; null: nothing. */
  function eventOf(scope: Scope, { deviceId, direction }: PassageFacts): VisitEvent | null {
    if (configuration.of(scope).autoSignOffAtDevices.includes(deviceId)) return 'exitSignedOff'
    return direction === passDirection.in ? 'entered' : direction === passDirection.out ? 'exited' : null
  }

  async function apply(tx: Transaction, scope: Scope, visitId: string, record: PassageFacts): Promise<void> {
    const row = await lockVisit(scope, tx, visitId)
    const event = eventOf(scope, record)
    if (row === undefined || event === null) return
    const circumstances = configuration.conditions(scope)
    // A visitor whose first passage is at a device that signs off has not been there.
    const status = statusAfter(statusOf(row), event, circumstances)
    if (status === null) return
    const at = correctedTime(record)
    const change: VisitChange = {
      status,
      ...(event === 'entered' && row.enteredAt === null && { enteredAt: at }),
      ...(status === visitorStatus.signedOff && { signedOffAt: at }),
      ...(isEnded({ status }) && { endedAt: platform.clock.now() }),
      ...(rights.applyTo(scope, { status, enabled: row.enabled }) ? {} : await rights.withdraw(tx, scope, row)),
    }
    await changeVisit(scope, tx, visitId, change, platform.clock.now())
    await announceStatus(platform, notices, tx, scope, visitId, { before: statusOf(row), after: status })
  }

  return {
    async recorded(scope, recordIds, span) {
      const records = (await passages(scope, recordIds, span)).filter(({ result }) => result === accessResult.allowed)
      const personIds = [...new Set(records.flatMap(({ personId }) => personId ?? []))]
      const visitOf = new Map((await findVisitsOfPersons(scope, platform.db, personIds)).map(({ id, personId }) => [personId, id]))
      for (const record of records) {
        const visitId = visitOf.get(record.personId ?? '')
        if (visitId === undefined) continue
        if (record.byCode) await passes.passed(scope, record.personId!, correctedTime(record))
        await platform.transaction((tx) => apply(tx, scope, visitId, record))
      }
    },
  }
}
