/**
 * What there is to do. A state that lasts and needs somebody is a task: a device that is offline, a photo that is missing. What happened
 * today and is over, such as a person of the watch list at a door, is an alarm (`AlarmsToday.tsx`): nothing stands in both.
 */
import { personStatus } from '@gatehouse/contract/enums/people'
import type { PermissionCode } from '@gatehouse/contract'
import type { Status } from '../../theme/tokens.ts'
import type { ScreenName } from '../../screens.ts'
import type { DeviceSummary, PeopleSummary } from './useCockpit.ts'

/** Days within which an end of validity is pointed out. */
const SOON = 30

/** What tasks are read from; a part that is not known, or not for this session, is undefined. */
export interface TaskFacts {
  devices?: DeviceSummary | undefined
  people?: PeopleSummary | undefined
  /** Persons that wait for approval, and when the last of them was handed in; epoch milliseconds. */
  approvals?: { pending: number; newest: number | null } | undefined
  /** Changes that wait for a second user. */
  pendingChanges?: number | undefined
  /** Rules of linked parks of which somebody has to say whether everybody is meant. */
  unconfirmedRules?: number | undefined
  /** What doors that open for a face alone cannot be relied upon for. */
  faces?: { doors: number; unkept: boolean; unjudged: boolean } | undefined
}

interface Kind {
  key: string
  status: Status
  screen: ScreenName
  filter?: Record<string, string | number>
  /** What it takes to do more than look; absent: nothing but seeing it. */
  needs?: PermissionCode
  /** Several ways out of it, each a step of its own; absent: `screen` is the one. */
  steps?: readonly { key: StepKey; screen: ScreenName }[]
}

/** Ways to a door that is not opened by a face alone, or not by any face. */
export type StepKey = 'betterEngine' | 'secondFactor'
const SAFER = [
  { key: 'betterEngine', screen: 'faceEngine' },
  { key: 'secondFactor', screen: 'passStrategy' },
] as const

/** The most urgent first: doors that do not work, then what waits for a decision, then what is to be put in order. */
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
  /** Which ones, as far as they are known by name, and what is to be said of each. */
  which: readonly Named[]
  /** When the newest of them came; epoch milliseconds. */
  newest?: number
}
/** A device that is named: not heard of since, when it found what, how many people it lacks, or how many of how many it holds. */
export interface Named {
  name: string
  since?: number | null
  found?: number
  missing?: number
  held?: { persons: number; capacity: number }
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
      devices?.nearlyFull.map(({ name, personsDesired, capacity }) => ({ name, held: { persons: personsDesired, capacity } })),
    ),
    expired: { count: people?.expired ?? 0 },
    expiring: { count: people?.expiring ?? 0 },
    withoutFace: { count: people?.withoutFace ?? 0 },
    neverPaired: { count: devices?.neverPaired ?? 0 },
  }
}

/** What is to be done, the most urgent first; nothing of which there is none. */
export function tasksOf(facts: TaskFacts): Task[] {
  const found = foundOf(facts)
  return KINDS.flatMap((kind): Task[] => (found[kind.key].count > 0 ? [{ ...kind, which: [], ...found[kind.key] }] : []))
}
