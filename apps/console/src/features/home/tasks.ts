/**
 * Tasks. A lasting state that needs a user is a task: a device that is offline, a photo that is missing. An event of today, such as a
 * person of the watch list at a door, is an alarm (`AlarmsToday.tsx`). Nothing is both.
 */
import { personStatus } from '@gatehouse/contract/enums/people'
import type { OutputOf, PermissionCode } from '@gatehouse/contract'
import type { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Status } from '../../theme/tokens.ts'
import type { ScreenName } from '../../screens.ts'

export type DeviceSummary = OutputOf<typeof deviceCalls.summary.data>
export type PeopleSummary = OutputOf<typeof peopleCalls.summary.data>

/** Days before the end of validity within which it is a task. */
const SOON = 30

/** Facts that tasks follow from; undefined where unknown, or not visible to this session. */
export interface TaskFacts {
  devices?: DeviceSummary | undefined
  people?: PeopleSummary | undefined
  /** Pending applications, and when the newest was handed in; epoch milliseconds. */
  approvals?: { pending: number; newest: number | null } | undefined
  /** Changes that another user has to approve. */
  pendingChanges?: number | undefined
  /** Rules of linked parks for which a user has to confirm that they apply to all shared persons. */
  unconfirmedRules?: number | undefined
  /** Doors that open for a face alone, and whether their promise is unkept or liveness is not judged. */
  faces?: { doors: number; unkept: boolean; unjudged: boolean } | undefined
}

interface Kind {
  key: string
  status: Status
  screen: ScreenName
  filter?: Record<string, string | number>
  /** Permission needed to settle it; absent: a user who sees it can also settle it. */
  needs?: PermissionCode
  /** Several ways to settle it; absent: `screen` is the only one. */
  steps?: readonly { key: StepKey; screen: ScreenName }[]
}

/** Ways to doors that open for the right face only, or not for a face alone. */
export type StepKey = 'betterEngine' | 'secondFactor'
const SAFER = [
  { key: 'betterEngine', screen: 'faceEngine' },
  { key: 'secondFactor', screen: 'passStrategy' },
] as const

/** The most urgent first: doors that do not work, then decisions that wait, then what has to be put in order. */
const KINDS = [
  { key: 'offline', status: 'bad', screen: 'deviceList', filter: { onlineStatus: 0 } },
  { key: 'tampered', status: 'bad', screen: 'deviceList', filter: { attention: 'tampered' } },
  { key: 'notSynced', status: 'bad', screen: 'deviceList', filter: { onlineStatus: 1, attention: 'notSynced' } },
  { key: 'unkept', status: 'bad', screen: 'facePolicy', steps: SAFER },
  { key: 'unjudged', status: 'bad', screen: 'faceLiveness', steps: SAFER },
  { key: 'approvals', status: 'wait', screen: 'staffApproveTab' },
  { key: 'pendingChanges', status: 'wait', screen: 'pendingChanges' },
  { key: 'unconfirmedRules', status: 'wait', screen: 'associatedRule' },
  { key: 'notReleased', status: 'wait', screen: 'deviceList', filter: { attention: 'notReleased' }, needs: 'own:device.edit' },
  { key: 'nearlyFull', status: 'wait', screen: 'deviceList', filter: { attention: 'nearlyFull' } },
  { key: 'expired', status: 'info', screen: 'staffList', filter: { status: personStatus.expired }, needs: 'own:person.edit' },
  { key: 'expiring', status: 'info', screen: 'staffList', filter: { expiringDays: SOON }, needs: 'own:person.edit' },
  { key: 'withoutFace', status: 'info', screen: 'staffList', filter: { hasFace: 0 }, needs: 'own:person.edit' },
  { key: 'neverPaired', status: 'info', screen: 'deviceList', filter: { attention: 'notPaired' }, needs: 'own:device.pair' },
] as const satisfies readonly Kind[]

export type TaskKey = (typeof KINDS)[number]['key']

export interface Task extends Kind {
  key: TaskKey
  /** At least one. */
  count: number
  /** Those that are listed by name, with a note on each. */
  which: readonly Named[]
  /** When the newest of them arrived; epoch milliseconds. */
  newest?: number
}
/** A device by name, with one of: when it was last seen, when it found tampering, missing persons, or persons of its capacity. */
export interface Named {
  name: string
  since?: number | null
  found?: number
  missing?: number
  occupancy?: { persons: number; capacity: number }
}

interface Found {
  count: number
  which?: Named[]
  newest?: number
}
const listed = (which: Named[] = []): Found => ({ count: which.length, which })

function foundOf({ devices, people, approvals, pendingChanges, unconfirmedRules, faces }: TaskFacts): Record<TaskKey, Found> {
  return {
    offline: listed(devices?.offline.map(({ name, lastSeenAt }) => ({ name, since: lastSeenAt }))),
    tampered: listed(devices?.tampered.map(({ name, at }) => ({ name, found: at }))),
    notSynced: listed(devices?.notSynced.map(({ name, missing }) => ({ name, missing }))),
    unkept: { count: faces?.unkept === true ? faces.doors : 0 },
    unjudged: { count: faces?.unjudged === true ? faces.doors : 0 },
    approvals: { count: approvals?.pending ?? 0, ...(approvals?.newest && { newest: approvals.newest }) },
    pendingChanges: { count: pendingChanges ?? 0 },
    unconfirmedRules: { count: unconfirmedRules ?? 0 },
    notReleased: listed(devices?.notReleased.map(({ name }) => ({ name }))),
    nearlyFull: listed(
      devices?.nearlyFull.map(({ name, personsDesired, capacity }) => ({ name, occupancy: { persons: personsDesired, capacity } })),
    ),
    expired: { count: people?.expired ?? 0 },
    expiring: { count: people?.expiring ?? 0 },
    withoutFace: { count: people?.withoutFace ?? 0 },
    neverPaired: { count: devices?.neverPaired ?? 0 },
  }
}

/** Return the tasks, the most urgent first, without kinds that have none. */
export function tasksOf(facts: TaskFacts): Task[] {
  const found = foundOf(facts)
  return KINDS.flatMap((kind): Task[] => (found[kind.key].count > 0 ? [{ ...kind, which: [], ...found[kind.key] }] : []))
}
