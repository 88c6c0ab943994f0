/** Creates, changes, disables and deletes accounts. */
import { userChange, userCreate } from '@gatehouse/contract/identity/users'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, forbid, refuse } from '../../platform/http/refusal.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { demandAdministrator } from './administrators.ts'
import { hashPassword, inventPassword, passwordEnd } from './password.ts'
import { assertMayUnmask, assertOtherAccount } from './policy.ts'
import { createUserFields, loggedUser, type UserFields } from './user-fields.ts'
import type { UserPasswords } from './user-passwords.ts'
import { demandEnabled } from './user-rows.ts'
import type { UserRows } from './user-rows-types.ts'
import type { UserParts, UserService } from './users-types.ts'
import * as data from './users-data.ts'

/** Turn the violation of a constraint into a refusal. @throws any other error unchanged */
function refuseConflict(error: unknown): never {
  if (violatedConstraint(error) === 'user_account_name') refuse(100402, 'account')
  // The role was deleted meanwhile and can no longer be given.
  if ((error as { code?: string }).code === '23503') forbid('roles')
  throw error
}

export function createUserWrites(
  platform: Platform,
  parts: UserParts,
  { present, actedOn }: UserRows,
  passwords: UserPasswords,
): Pick<UserService, 'create' | 'change' | 'delete' | 'setEnabled'> {
  const { organisation, sessions } = parts
  const now = (): number => platform.clock.now()
  const { demandFields, demandFreeEmail, valuesOf } = createUserFields(platform, parts)

  const changed = (userId: string, work: (tx: Transaction) => Promise<void>): Promise<void> =>
    sessions.changing([userId], work).catch(refuseConflict)

  return {
    async create(session, sent, language) {
      const fields = unmasked(session, userCreate, sent)
      assertMayUnmask(session, fields.enablePageDataMasking)
      await demandFields(session, fields)
      const chosen = fields.password === undefined ? null : await passwords.open(fields.password)
      const sendByEmail = chosen === null && fields.sendByEmail
      const email = fields.email ?? ''
      if (sendByEmail && email === '') throw new InvalidRequest([{ path: 'email', rule: 'required' }])
      const password = chosen ?? inventPassword()
      const id = newId()
      const account = {
        id,
        account: fields.account,
        realName: fields.realName,
        passwordHash: await hashPassword(password),
        organisationId: fields.organisationId,
        mustChange: true,
      }
      const values = await valuesOf(id, fields)
      return platform
        .transaction(async (tx) => {
          await demandFreeEmail(tx, email, null)
          await data.insertUserUnscoped(tx, account, values, passwordEnd(fields.passwordValidity, now()), [...new Set(fields.roles)], now())
          platform.audit.note({ entity: 'user', id, label: fields.account, after: { account: fields.account, ...loggedUser(fields) } })
          return chosen === null ? passwords.hand(tx, { id, account: fields.account, email }, password, sendByEmail, language) : { id }
        })
        .catch(refuseConflict)
    },
    async change(session, sent, language) {
      const row = await actedOn(session, sent.id)
      demandEnabled(row)
      const [before] = await present(session, [row], language)
      const { version, ...change } = unmasked(session, userChange, sent, { ...before })
      const stored: UserFields = before!
      const fields = leftAsItWas(stored, change)
      assertMayUnmask(session, fields.enablePageDataMasking, row.masking)
      await demandFields(session, fields)
      const values = await valuesOf(row.id, fields)
      const validityChanged = fields.passwordValidity !== row.passwordValidity
      await changed(row.id, async (tx) => {
        await demandFreeEmail(tx, values.email, row.id)
        const passwordExpiresAt = validityChanged ? passwordEnd(fields.passwordValidity, row.passwordChangedAt) : undefined
        if (!(await data.updateUserUnscoped(tx, row.id, values, passwordExpiresAt, version ?? row.version, now())))
          throw new Conflict(['realName', 'roles'])
        await data.replaceRolesUnscoped(tx, row.id, [...new Set(fields.roles)])
        await demandAdministrator(tx, organisation.root().id, now(), 'roles')
        platform.audit.note({ entity: 'user', id: row.id, label: row.account, before: loggedUser(stored), after: loggedUser(fields) })
      })
    },
    async delete(session, id) {
      const row = await actedOn(session, id)
      assertOtherAccount(session, id)
      demandEnabled(row)
      await changed(id, async (tx) => {
        await data.deleteUserUnscoped(tx, id)
        await demandAdministrator(tx, organisation.root().id, now(), 'id')
        platform.audit.note({
          entity: 'user',
          id,
          label: row.account,
          before: { account: row.account, realName: row.realName, organisationId: row.organisationId },
        })
      })
    },
    async setEnabled(session, id, enabled) {
      const row = await actedOn(session, id)
      if (!enabled) assertOtherAccount(session, id)
      if (row.enabled === enabled) return
      await changed(id, async (tx) => {
        await data.updateEnabledUnscoped(tx, [id], enabled, now())
        if (!enabled) await demandAdministrator(tx, organisation.root().id, now(), 'id')
        platform.audit.note({ entity: 'user', id, label: row.account, before: { enabled: row.enabled }, after: { enabled } })
      })
    },
  }
}
