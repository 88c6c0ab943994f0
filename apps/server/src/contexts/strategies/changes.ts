/** A change that could let somebody pass somewhere, as written rules look at it, and on what terms it is made. */
import type { TimeRule, WallHours } from '@gatehouse/access-rules'
import { authorisedObject, type ValueOf } from '@gatehouse/contract/enums'
import type { OpenTransaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

type Whom = ValueOf<typeof authorisedObject>

export interface NamedDoors {
  deviceIds: readonly string[]
  deviceGroupIds: readonly string[]
}

/** A strategy as it names persons and doors. */
export interface NamedStrategy extends NamedDoors {
  timeRuleIds: readonly string[]
  methods: readonly number[]
  validFrom: number | null
  validTo: number | null
  personIds: readonly string[]
  personGroupIds: readonly string[]
  accessGroupIds: readonly string[]
  /** Whether contacts pass by it, alone or beside the persons; absent: the persons alone. */
  authorisedObject?: Exclude<Whom, 'person'>
  /** The linked park whose persons these are, all of them by themselves; absent: the park's own. */
  home?: string
}

export interface WorldDoor {
  id: string
  name: string
  groupId: string | null
}

/** Somebody as far as written rules look at persons. */
export interface WorldPerson {
  id: string
  groupId: string
  kind: string
  enabled: boolean
  validTo: number | null
  /** The linked park that has him; absent: the park itself. */
  home?: string
}

/** A change of the world; what is left out stays. */
export type WorldChange =
  | { of: 'strategy'; id: string; fields: NamedStrategy }
  | { of: 'timeRule'; id: string; fields: Omit<TimeRule, 'id'> }
  | { of: 'accessGroup'; id: string; fields: NamedDoors }
  /** Those who are new have an id of their own that nobody else has. */
  | { of: 'persons'; persons: readonly WorldPerson[] }
  | { of: 'personGroup'; id: string; parentId: string | null }
  | { of: 'devices'; devices: readonly WorldDoor[] }
  | { of: 'deviceGroup'; id: string; parentId: string | null }

/** Persons who could newly pass alike, or in whose place their contacts could, by doors at which the hours are the same. */
export interface NewPassage {
  by: 'person' | 'contact'
  personIds: string[]
  at: { deviceIds: string[]; hours: WallHours }[]
}

/** What a second person has agreed to, by written rule; nothing, for a rule whose loosening is agreed to. */
export type Agreed = ReadonlyMap<string, readonly NewPassage[]>

/** What somebody else has agreed to, and what is done with the change or not at all. */
export interface Admission {
  /** What a second person has agreed to. */
  approved?: Agreed
  alongside?: (tx: OpenTransaction) => Promise<void>
}

export interface Guarding {
  /**
   * Makes a change, unless it would newly let somebody pass where a written rule says that he must not.
   * @param change told only where a rule is enabled
   * @param wishes the field a refusal belongs to, and what a second person has agreed to
   * @throws AgainstWrittenRules; Conflict where it would let more happen than was agreed to
   */
  during<T>(
    scope: Scope,
    change: () => Promise<WorldChange>,
    work: () => Promise<T>,
    wishes?: { field?: string; approved?: Agreed | undefined },
  ): Promise<T>
}

/** Stands for the id of what is not made yet. */
export const UNMADE = 'new'

/** What of the fields of a strategy decides. */
export const namedBy = (fields: {
  timeRuleIds: readonly string[]
  methods: readonly number[]
  validFrom?: number | null | undefined
  validTo?: number | null | undefined
  personIds: readonly string[]
  personGroupIds: readonly string[]
  deviceIds: readonly string[]
  deviceGroupIds: readonly string[]
  accessGroupIds: readonly string[]
  authorisedObject?: Whom | undefined
}): NamedStrategy => {
  const { authorisedObject: whom, ...named } = fields
  return { ...named, validFrom: fields.validFrom ?? null, validTo: fields.validTo ?? null, ...passing(whom) }
}

/** Whom a strategy lets pass, as worlds have it: the same strategy is the same, however it says so. */
export const passing = (whom: Whom | undefined): Pick<NamedStrategy, 'authorisedObject'> =>
  whom === undefined || whom === authorisedObject.person ? {} : { authorisedObject: whom }
