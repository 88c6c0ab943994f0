/** Which alerts of visits are shown as bubbles, and which of them ring. */
import { visitAlertType } from '@gatehouse/contract/enums/alarms'
import type { VisitAlert } from '@gatehouse/contract/visitors/alerts'
import { fitted, LATE, type Alarms, type AlarmsUpdate, type VisitBubble } from './alarms.ts'
import { endOfStay, type Stay } from './stay.ts'

const kindOf = ({ type }: VisitAlert): VisitBubble['kind'] => (type === visitAlertType.check ? 'visitCheck' : 'visitArrive')
const keyOf = (alert: VisitAlert): string => `${kindOf(alert)}-${alert.id}`

/** A terminal that was offline reports an arrival long after it. */
const isLate = ({ type, visitTime }: VisitAlert, now: number): boolean => type === visitAlertType.arrival && now - visitTime > LATE

/** Add the visits of a frame, of which the newest is the first. One that arrives again is shown once. */
export function takeVisits(alarms: Alarms, { rows }: { rows: readonly VisitAlert[] }, now: number, stay: Stay): AlarmsUpdate {
  const present = new Set([...alarms.dismissed, ...alarms.bubbles.map(({ key }) => key)])
  const fresh = rows.filter((alert, at) => !present.has(keyOf(alert)) && rows.findIndex(({ id }) => id === alert.id) === at)
  if (fresh.length === 0) return { alarms, rings: [] }
  const bubbles = fresh.map((alert): VisitBubble => ({
    kind: kindOf(alert),
    key: keyOf(alert),
    time: now,
    until: endOfStay(stay, now),
    alert,
  }))
  return {
    alarms: fitted({ ...alarms, bubbles: [...bubbles, ...alarms.bubbles] }),
    rings: fresh.filter((alert) => !isLate(alert, now)).map(keyOf),
  }
}
