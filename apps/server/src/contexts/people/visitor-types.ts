/** Persons of visits: what visits let the register do. */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** A person who visits. Phone and ID number stay with the visit, so that they are those of nobody in the register. */
export interface VisitorFields {
  name: string
  /** A group of the type for visitors. */
  groupId: string
  /** Epoch milliseconds, both inclusive; null: no bound. */
  validFrom: number | null
  validTo: number | null
  /** Access methods the visitor may use, of those of the access rules; at least one. */
  methods: readonly number[]
  /** Photograph that was cached; null: none. */
  faceId: string | null
  cardNumber: string | null
  cardNumberFormat: 'decimal' | 'hex'
}

export interface VisitorAdmission {
  /** Access rules for visitors that name the person. */
  strategyIds: readonly string[]
  /** Writes what is stored together with the person, in the same transaction. */
  alongside(tx: Transaction, personId: string): Promise<void>
}

/** The register's `remove` ends it. */
export interface VisitorPersons {
  /**
   * Register the person of a visit and name them in access rules; return the id.
   * @throws InvalidRequest for a group of another type, no method, and access rules that are not of this park and for visitors;
   *   Refusal 200207 for a card that another person has, 200201 for a photograph that is not cached; Hindered
   */
  admitVisitor(scope: Scope, visitor: VisitorFields, options: VisitorAdmission): Promise<string>
  /**
   * Change the person of a visit; what is left out stays. The access rules, where they are named, replace those that name the person.
   * @throws NotFound; as admitVisitor
   */
  changeVisitor(
    scope: Scope,
    personId: string,
    change: Partial<VisitorFields>,
    options: Partial<Pick<VisitorAdmission, 'strategyIds'>> & Pick<VisitorAdmission, 'alongside'>,
  ): Promise<void>
  /** Return the first group of visitors at the top of their tree; it is created where the park has none. */
  visitorGroup(scope: Scope): Promise<string>
}
