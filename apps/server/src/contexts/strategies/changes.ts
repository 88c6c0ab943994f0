/** Changes that could let somebody pass somewhere, as written rules look at them, and the terms on which they are made. */
import type { TimeRule, WallHours } from '@gatehouse/access-rules'
import { authorisedObject, type ValueOf } from '@gatehouse/contract/enums'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

type AuthorisedObject = ValueOf<typeof authorisedObject>

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
  authorisedObject?: Exclude<AuthorisedObject, 'person'>
  /** The linked park whose persons these are, all of them by themselves; absent: the park's own. */
  home?: string
}

export interface WorldDoor {
  id: string
  name: string
  groupId: string | null
}

/** A person as far as written rules look at persons. */
export interface WorldPerson {
  id: string
  groupId: string
  kind: string
  enabled: boolean
  validTo: number | null
  /** The linked park that has them; absent: the park itself. */
  home?: string
  /** Access rules that will name the person, besides those that name them now. */
  strategyIds?: readonly string[]
}

/** A change of the world; what is left out stays. */
export type WorldChange =
  | { of: 'strategy'; id: string; fields: NamedStrategy }
  | { of: 'timeRule'; id: string; fields: Omit<TimeRule, 'id'> }
  | { of: 'accessGroup'; id: string; fields: NamedDoors }
  /** New persons have ids of their own that no other person has. */
  | { of: 'persons'; persons: readonly WorldPerson[] }
  | { of: 'personGroup'; id: string; parentId: string | null }
  | { of: 'devices'; devices: readonly WorldDoor[] }
  | { of: 'deviceGroup'; id: string; parentId: string | null }

/** Persons who could newly pass, or whose contacts could, by doors at which the hours are the same. */
export interface NewPassage {
  by: 'person' | 'contact'
  personIds: string[]
  at: { deviceIds: string[]; hours: WallHours }[]
}

/** What a second person has agreed to, by written rule; an empty list for a rule whose loosening is agreed to. */
export type Agreed = ReadonlyMap<string, readonly NewPassage[]>

/** What a second person has agreed to, and what is written in the transaction of the change. */
export interface Admission {
  /** What a second person has agreed to. */
  approved?: Agreed
  alongside?: (tx: Transaction) => Promise<void>
}

/** On what terms a change is looked at. */
export interface Terms {
  /** The field a refusal belongs to. */
  field?: string
  /** What a second person has agreed to. */
  approved?: Agreed | undefined
}

export interface Guarding {
  /**
   * Make a change, unless it would newly let a person pass where a written rule says that they must not. The change is checked and written
   * in one transaction, which this opens.
   * @param change called only where a rule is enabled; reads through the transaction
   * @param work writes the change in the transaction, and opens none
   * @throws AgainstWrittenRules; Conflict where it would let more happen than was agreed to; Refusal 900000 where too many wait
   */
  during<T>(
    scope: Scope,
    change: (within: Transaction) => Promise<WorldChange>,
    work: (tx: Transaction) => Promise<T>,
    terms?: Terms,
  ): Promise<T>
}

/** The id of what does not exist yet. */
export const NEW_ID = 'new'

/** Return what of the fields of a strategy decides. */
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
  authorisedObject?: AuthorisedObject | undefined
}): NamedStrategy => {
  const { authorisedObject: object, ...named } = fields
  return { ...named, validFrom: fields.validFrom ?? null, validTo: fields.validTo ?? null, ...passing(object) }
}

/** Return who passes by a strategy, absent for persons alone: equal strategies are then equal, however they say it. */
export const passing = (object: AuthorisedObject | undefined): Pick<NamedStrategy, 'authorisedObject'> =>
  object === undefined || object === authorisedObject.person ? {} : { authorisedObject: object }
