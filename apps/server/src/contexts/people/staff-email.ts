/** E-mail addresses of members of staff, who are told of their visitors by them. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findPersonFacts } from './facts-data.ts'

/** Return the address of an enabled member of staff; null for one without, and for any other person. @param within read through this */
export type StaffEmail = (scope: Scope, personId: string, within: Transaction) => Promise<string | null>

export const createStaffEmail =
  ({ crypto }: Pick<Platform, 'crypto'>): StaffEmail =>
  async (scope, personId, within) => {
    const [person] = await findPersonFacts(scope, { db: within, crypto }, [personId])
    return person?.kind === 'staff' && person.enabled ? person.email : null
  }
