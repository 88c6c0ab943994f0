/** Who may do something in a park: for whoever may not himself, or looks for a colleague who may. */
import type { Language } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Privilege } from './privilege.ts'
import { readyNames } from './ready-roles.ts'
import type { IdentityTables } from './schema.ts'
import { holdersOfCodesUnscoped } from './who-may-data.ts'

/** Names of one answer. */
const NAMED = 3
/** Whoever has it sees the accounts of his part of the tree. */
const LISTS_USERS = 'system.user'

/** Who holds a permission, as far as the caller may know of others. */
export interface Permitted {
  /** The caller himself. */
  you: boolean
  /** Real names of others, those of the park first; none where the caller may list no users. */
  users: string[]
  /** In place of users: the names of the roles that others hold it by. */
  roles: string[]
  /** How many users, or roles, there are besides. */
  more: number
  /** Where nobody does, the name of the organisation above the park; else null. */
  company: string | null
}

/**
 * Who holds these permissions in the park the caller is in: accounts that belong to it or to a node above it, enabled and
 * not expired. Nobody is told of accounts outside his part of the tree, and API users are not among them. What a
 * deployment gives to role signs beside their permissions does not count.
 *
 * @returns an answer for each code
 */
export type WhoMay = (session: Session, codes: readonly string[], language: Language) => Promise<ReadonlyMap<string, Permitted>>

interface Parts {
  organisation: OrganisationService
  privilege: Privilege
}

export function createWhoMay(platform: Platform, { organisation, privilege }: Parts): WhoMay {
  const db = platform.db as unknown as Database<IdentityTables>

  return async (session, codes, language) => {
    const path = organisation.tree().path(session.park.id)
    const nodeIds = path.map(({ id }) => id).filter((id) => privilege.reaches(session, id))
    // Roles keep the codes of modules that are off, and nobody may by them.
    const on = codes.filter((code) => organisation.isOn(session.park.id, code))
    const by = session.permissions.has(LISTS_USERS) ? 'user' : 'role'
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
      const you = session.permissions.has(code)
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
