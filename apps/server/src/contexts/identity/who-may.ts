/** The users who hold a permission in a park, for a caller who lacks it or who looks for a colleague. */
import type { Language } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { canListUsers, holdsPermission } from './policy.ts'
import type { Privilege } from './privilege.ts'
import { readyNames } from './ready-roles.ts'
import { holdersOfCodesUnscoped } from './who-may-data.ts'

/** Most names for each code. */
const NAMED = 3

/** The holders of a permission, as far as the caller may know of other users. */
export interface Permitted {
  /** Whether the caller holds it. */
  you: boolean
  /** Real names of others, those of the park first; empty where the caller may not list users. */
  users: string[]
  /** Names of the roles that give it to others, where users are not named. */
  roles: string[]
  /** Number of further users or roles. */
  more: number
  /** Name of the organisation above the park where nobody holds it; else null. */
  company: string | null
}

/**
 * Return who holds these permissions in the caller's park: accounts that belong to it or to a node above it, enabled and not expired.
 * Accounts outside the caller's part of the tree are not named, and API users are not included. Permissions that a deployment adds to role
 * signs do not count.
 *
 * @returns an answer for each code
 */
export type WhoMay = (session: Session, codes: readonly string[], language: Language) => Promise<ReadonlyMap<string, Permitted>>

interface Parts {
  organisation: OrganisationService
  privilege: Privilege
}

export function createWhoMay(platform: Platform, { organisation, privilege }: Parts): WhoMay {
  const db = platform.db

  return async (session, codes, language) => {
    const path = organisation.tree().path(session.park.id)
    const nodeIds = path.map(({ id }) => id).filter((id) => privilege.reaches(session, id))
    // Roles keep the codes of modules that are off, but nobody can use these codes.
    const on = codes.filter((code) => organisation.isOn(session.park.id, code))
    const by = canListUsers(session) ? 'user' : 'role'
    const found =
      on.length === 0
        ? []
        : await holdersOfCodesUnscoped(
            db,
            { codes: on, nodeIds, exceptId: session.userId, by, most: NAMED, readyNames: readyNames(language), masked: session.masking },
            platform.clock.now(),
          )

    function permittedTo(code: string): Permitted {
      const { names, total } = found.find((one) => one.code === code) ?? { names: [], total: 0 }
      const you = holdsPermission(session, code)
      return {
        you,
        users: by === 'user' ? names : [],
        roles: by === 'role' ? names : [],
        more: total - names.length,
        company: you || total > 0 ? null : (path[1]?.name ?? ''),
      }
    }
    return new Map(codes.map((code) => [code, permittedTo(code)]))
  }
}
