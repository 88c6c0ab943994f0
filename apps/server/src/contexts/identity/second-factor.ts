/** The second factor of an account: its set-up, its removal, and the demand of the installation. */
import type { Platform } from '../../platform/context.ts'
import { NotFound, forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { rolesOfUnscoped } from './data.ts'
import { assertOtherAccount, canUnmask } from './policy.ts'
import { powerOf } from './privilege.ts'
import * as data from './second-factor-data.ts'
import { createEnrolment } from './second-factor-enrolment.ts'
import { createSecondFactorOperations } from './second-factor-operations.ts'
import { findUserUnscoped } from './users-data.ts'
import type { SecondFactorParts, SecondFactors } from './second-factor-types.ts'

export function createSecondFactors(platform: Platform, parts: SecondFactorParts): SecondFactors {
  const { clock, audit, db } = platform
  const { sessions, privilege, check, demand } = parts
  const operations = createSecondFactorOperations(platform, parts)
  const { accountOf, demandCode, notify, note } = operations

  /** Return another user's account that the caller may act on, as for resetting its password. @throws NotFound; Refusal 100510 */
  async function actedOn(session: Session, id: string) {
    const row = await findUserUnscoped(db, id, clock.now())
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    if (!(await privilege.covered(session, [id])).has(id) || (!canUnmask(session) && !row.masking)) forbid()
    assertOtherAccount(session, id)
    return row
  }

  return {
    async read(session) {
      const { id } = await accountOf(session)
      const [{ secret, since, recoveryCodesLeft }, roles] = await Promise.all([data.findFactorUnscoped(db, id), rolesOfUnscoped(db, id)])
      // Determined from the roles: a session that lacks the demanded factor has another role sign.
      return { enrolled: secret !== null, since, recoveryCodesLeft, demanded: demand.isDemandedOf(powerOf(roles).roleSign) }
    },
    ...createEnrolment(platform, parts, operations),
    async remove(session, code, language) {
      const account = await accountOf(session)
      if (demand.isDemandedOf(session.roleSign)) forbid('code', 'secondFactorDemanded')
      await demandCode(account.id, code)
      await sessions.changing([account.id], async (tx) => {
        await data.deleteFactorUnscoped(tx, account.id)
        await notify(tx, account, 'secondFactorRemoved', language)
        note(account, { secondFactor: true }, { secondFactor: false })
      })
      return { id: account.id }
    },
    async reset(session, id, language) {
      const row = await actedOn(session, id)
      await sessions.changing([id], async (tx) => {
        if (!(await data.deleteFactorUnscoped(tx, id))) return
        await data.forgetKnownDevicesUnscoped(tx, id)
        await sessions.revokeAllIn(tx, { userId: id }, null)
        await notify(tx, row, 'secondFactorReset', language)
        audit.note({ entity: 'user', id, label: row.account, before: { secondFactor: true }, after: { secondFactor: false } })
      })
      return { id }
    },
    config: () => demand.config(),
    async configure(session, config, version) {
      if (config.demandedOf !== 'nobody' && !(await check.isEnrolled(session.userId))) forbid('demandedOf', 'secondFactorFirst')
      await demand.configure(config, version)
      sessions.forgetOwners()
    },
  }
}
