/** What held at a moment, and the reader of it. */
import type { Door, TimeRule } from '@gatehouse/access-rules'
import type { StrategyFacts } from './register-facts.ts'
import type { Branch } from '../../platform/tree.ts'
import type { Scope } from '../../platform/session/session.ts'

/** A door as strategies are evaluated for it. Zone and methods of the device have no history: they are the present ones. */
export interface StandingDoor extends Door {
  id: string
  groupId: string | null
  /** Its present name; null if it was deleted since. */
  name: string | null
}
export interface StandingPerson {
  id: string
  groupId: string
  enabled: boolean
  validFrom: number | null
  validTo: number | null
  /** Access methods the person may use at present, of those of the strategies; absent: all of them. */
  methods?: readonly number[]
  /** Present name; empty if the person was deleted since. */
  name: string
  workNumber: string
}
/** What decides besides doors and persons. */
export interface Rules {
  strategies: ReadonlyMap<string, StrategyFacts>
  timeRules: ReadonlyMap<string, TimeRule>
}
export interface Standing extends Rules {
  doors: ReadonlyMap<string, StandingDoor>
  /** Doors that exist and let nobody pass: persons may not be sent to their devices yet. */
  unreleased: ReadonlySet<string>
  personGroups: readonly Branch[]
  deviceGroups: readonly Branch[]
  /** Return the persons of these ids and all directly in these groups, without those of the watch list, whom no door lets in. */
  persons(of: { ids: Iterable<string>; groupIds: Iterable<string> }): Promise<StandingPerson[]>
}
export interface StandingReader {
  now(scope: Scope): Promise<Standing>
  /** Return what held at a past moment, not before `platform.history.completeSince()`. */
  at(scope: Scope, moment: number): Promise<Standing>
}
