/** The fields of an account: what the schema cannot check of them, and how they are stored and logged. */
import type { z } from 'zod'
import { isTelephone } from '@gatehouse/contract/account'
import type { userFields } from '@gatehouse/contract/identity/users'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { sealNumbers } from './personal-numbers.ts'
import type { UserParts } from './users-types.ts'
import { emailTakenUnscoped, type UserValues } from './users-data.ts'

export type UserFields = z.output<typeof userFields>

/** Return the fields as the operation log shows them. */
export const loggedUser = (fields: UserFields): Record<string, unknown> => ({
  realName: fields.realName,
  administratorName: fields.administratorName ?? '',
  email: fields.email ?? '',
  phone: fields.phone ?? '',
  idCard: fields.idCard ?? '',
  organisationId: fields.organisationId,
  roles: fields.roles.toSorted(),
  expiry: fields.expiry ?? null,
  passwordValidity: fields.passwordValidity,
  enablePageDataMasking: fields.enablePageDataMasking,
})

export function createUserFields(platform: Platform, { privilege, roles }: Pick<UserParts, 'privilege' | 'roles'>) {
  return {
    /** Check a node, a telephone and roles. @throws Refusal 100413, 900114; 100510 for a role that the caller may not give there */
    async demandFields(session: Session, fields: UserFields): Promise<void> {
      if (!privilege.reaches(session, fields.organisationId)) refuse(100413, 'organisationId')
      if (!isTelephone(fields.phone ?? '')) refuse(900114, 'phone')
      const assignable = new Set((await roles.assignable(session, fields.organisationId)).map(({ id }) => id))
      if (fields.roles.some((id) => !assignable.has(id))) forbid('roles')
    },
    /** Refuse an address that another account has. @param except id of the account that may have it @throws Refusal 100112 */
    async demandFreeEmail(tx: Database, email: string, except: string | null): Promise<void> {
      if (email === '' || platform.config.privatised) return
      if (await emailTakenUnscoped(tx, email, except)) refuse(100112, 'email')
    },
    /** Return the fields as they are stored, with telephone and ID card sealed for this account. */
    valuesOf: async (id: string, fields: UserFields): Promise<UserValues> => ({
      realName: fields.realName,
      administratorName: fields.administratorName ?? '',
      email: fields.email ?? '',
      ...(await sealNumbers(platform, id, { telephone: fields.phone ?? '', idCard: fields.idCard ?? '' })),
      organisationId: fields.organisationId,
      expiry: fields.expiry ?? null,
      passwordValidity: fields.passwordValidity,
      masking: fields.enablePageDataMasking,
    }),
  }
}
