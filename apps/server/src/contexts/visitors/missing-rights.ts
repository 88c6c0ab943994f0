/** What the pass rules give a visit that was made without access rules or methods, as one made on a phone. */
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { Hosts } from './hosts.ts'
import type { PassRules } from './pass-rules.ts'
import type { VisitChange, VisitRow } from './visits-data.ts'

/** Return what has to be written of a visit; nothing where it has both. @throws InvalidRequest where no pass rule gives any */
export type MissingRights = (scope: Scope, row: VisitRow) => Promise<VisitChange>

export const createMissingRights =
  (configuration: Configuration, passRules: PassRules, hosts: Pick<Hosts, 'groupOf'>): MissingRights =>
  async (scope, row) => {
    if (!configuration.of(scope).needAuthorisation || (row.accessGroupIds.length > 0 && row.passMethods.length > 0)) return {}
    const given = await passRules.match(scope, { hostGroupId: await hosts.groupOf(scope, row.hostId), visitorGroupId: row.visitorGroupId })
    if (given.accessGroupIds.length === 0) throw new InvalidRequest([{ path: 'accessGroupIds', rule: 'required' }])
    return given
  }
