/** Accounts of the console, as administrators of their part of the tree keep them. */
import type { z } from 'zod'
import type { Language } from '@gatehouse/contract'
import { isTelephone, passwordFault } from '@gatehouse/contract/account'
import { mask } from '@gatehouse/contract/masking'
import { userChange, userCreate, type User, type userFields } from '@gatehouse/contract/identity/users'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { Conflict, InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { demandAdministrator } from './administrators.ts'
import type { CipherTexts } from './cipher-texts.ts'
import { findAccountUnscoped, mailLanguageUnscoped } from './data.ts'
import { openNumbers, sealNumbers } from './personal-numbers.ts'
import { hashPassword, inventPassword, passwordEnd, storePassword } from './password.ts'
import type { Privilege } from './privilege.ts'
import { roleName } from './ready-roles.ts'
import type { RoleService } from './roles.ts'
import type { IdentityTables } from './schema.ts'
import { endScreenLinks } from './screen-links.ts'
import type { Sessions } from './sessions.ts'
import * as data from './users-data.ts'

type UserCreate = z.output<typeof userCreate>
type UserFields = z.output<typeof userFields>
type UserChange = z.output<typeof userChange>
type UserQuery = data.UserFilter & { organisationId?: string | undefined }

/** A password somebody else has to be told. */
export interface HandedPassword {
  id: string
  initialPassword?: string
  sentTo?: string
}

export interface UserService {
  list(session: Session, query: UserQuery, language: Language): Promise<{ total: number; content: User[]; page: number; size: number }>
  read(session: Session, id: string, language: Language): Promise<User>
  create(session: Session, fields: UserCreate, language: Language): Promise<HandedPassword>
  change(session: Session, fields: UserChange, language: Language): Promise<void>
  delete(session: Session, id: string): Promise<void>
  setEnabled(session: Session, id: string, enabled: boolean): Promise<void>
  resetPassword(session: Session, id: string, sendByEmail: boolean, language: Language): Promise<HandedPassword>
  isFreeName(account: string): Promise<boolean>
  /** @param userId whose own address it may be */
  isFreeEmail(email: string, userId?: string): Promise<boolean>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  roles: RoleService
  cipherTexts: CipherTexts
}

export function createUsers(platform: Platform, { organisation, sessions, privilege, roles, cipherTexts }: Parts): UserService {
  const db = platform.db as unknown as Database<IdentityTables>
  const now = (): number => platform.clock.now()

  async function present(rows: readonly data.UserRow[], language: Language): Promise<User[]> {
    const held = Map.groupBy(
      await data.rolesOfUsersUnscoped(
        db,
        rows.map(({ id }) => id),
      ),
      ({ userId }) => userId,
    )
    return Promise.all(
      rows.map(async ({ idCardSealed, telephoneSealed, enabled, masking, ...row }) => {
        const { telephone: phone, idCard } = await openNumbers(platform, { id: row.id, idCardSealed, telephoneSealed })
        const given = held.get(row.id) ?? []
        return {
          ...row,
          phone,
          idCard,
          organisationName: organisation.get(row.organisationId)?.name ?? '',
          roles: given.map(({ id }) => id),
          roleDetails: given.map((role) => ({ id: role.id, name: roleName(language, role), roleSign: role.roleSign })),
          status: enabled ? 1 : 0,
          enablePageDataMasking: masking,
        }
      }),
    )
  }

  async function visible(session: Session, id: string): Promise<data.UserRow> {
    const row = await data.findUserUnscoped(db, id, now())
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    return row
  }

  /** An account the caller may act on: whoever has more than he could take it over by a new password. */
  async function actedOn(session: Session, id: string): Promise<data.UserRow> {
    const row = await visible(session, id)
    if (!(await privilege.covered(session, [id])).has(id)) forbid()
    return row
  }

  const demandEnabled = ({ enabled }: data.UserRow): void => {
    if (!enabled) throw new InvalidRequest([{ path: 'status', rule: 'accountDisabled' }])
  }
  const demandOther = (session: Session, id: string): void => {
    if (id === session.userId) throw new InvalidRequest([{ path: 'id', rule: 'ownAccount' }])
  }

  /** What the schema cannot know of the fields. */
  async function demandFields(session: Session, fields: UserFields): Promise<void> {
    if (!privilege.reaches(session, fields.organisationId)) refuse(100413, 'organisationId')
    if (!isTelephone(fields.phone ?? '')) refuse(900114, 'phone')
    const assignable = new Set((await roles.assignable(session, fields.organisationId)).map(({ id }) => id))
    if (fields.roles.some((id) => !assignable.has(id))) forbid('roles')
  }
  /** Whoever sees personal data masked makes nobody who sees more. @param before how it was */
  const demandMasking = (session: Session, masking: boolean, before = true): void => {
    if (session.masking && !masking && before) forbid('enablePageDataMasking')
  }

  async function demandFreeEmail(tx: Database<IdentityTables>, email: string, except: string | null): Promise<void> {
    if (email === '' || platform.config.privatised) return
    if (await data.emailTakenUnscoped(tx, email, except)) refuse(100112, 'email')
  }

  const valuesOf = async (id: string, fields: UserFields): Promise<data.UserValues> => ({
    realName: fields.realName,
    administratorName: fields.administratorName ?? '',
    email: fields.email ?? '',
    ...(await sealNumbers(platform, id, { telephone: fields.phone ?? '', idCard: fields.idCard ?? '' })),
    organisationId: fields.organisationId,
    expiry: fields.expiry ?? null,
    passwordValidity: fields.passwordValidity,
    masking: fields.enablePageDataMasking,
  })

  const logged = (fields: UserFields): Record<string, unknown> => ({
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

  const changed = (userId: string, work: (tx: Tx<IdentityTables>) => Promise<void>): Promise<void> =>
    sessions.changing([userId], work).catch(taken)

  function taken(error: unknown): never {
    if (violatedConstraint(error) === 'user_account_name') refuse(100402, 'account')
    // A role that was deleted meanwhile can no longer be given.
    if ((error as { code?: string }).code === '23503') forbid('roles')
    throw error
  }

  async function givenPassword(cipherText: string): Promise<string> {
    const { password } = await cipherTexts.open({ password: cipherText })
    if (password === null) throw new InvalidRequest([{ path: 'password', rule: 'invalid' }])
    if (passwordFault(password) !== null) refuse(100420, 'password')
    return password
  }

  async function hand(
    tx: OpenTransaction,
    user: { id: string; account: string; email: string },
    password: string,
    sendByEmail: boolean,
    language: Language,
  ): Promise<HandedPassword> {
    if (!sendByEmail) return { id: user.id, initialPassword: password }
    const written = await mailLanguageUnscoped(tx as never, user.id, language)
    await platform.messages.send(tx, {
      channel: 'email',
      to: user.email,
      userId: user.id,
      ...mailText(written, 'firstPassword', { account: user.account, password }),
    })
    return { id: user.id, sentTo: mask('email', user.email) }
  }

  return {
    async list(session, query, language) {
      const above = query.organisationId ?? session.organisationId
      if (!privilege.reaches(session, above)) refuse(100413, 'organisationId')
      const nodeIds =
        above === organisation.root().id
          ? null
          : organisation
              .tree()
              .below(above)
              .map(({ id }) => id)
      const { total, content } = await data.listUsersUnscoped(db, { ...query, sees: session.scope.sees }, nodeIds, now())
      return { total, content: await present(content, language), page: query.page, size: query.size }
    },
    async read(session, id, language) {
      const [user] = await present([await visible(session, id)], language)
      return user!
    },
    async create(session, sent, language) {
      const fields = unmasked(session, userCreate, sent)
      demandMasking(session, fields.enablePageDataMasking)
      await demandFields(session, fields)
      const given = fields.password === undefined ? null : await givenPassword(fields.password)
      const sendByEmail = given === null && fields.sendByEmail
      const email = fields.email ?? ''
      if (sendByEmail && email === '') throw new InvalidRequest([{ path: 'email', rule: 'required' }])
      const password = given ?? inventPassword()
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
        .transaction(async (tx: Tx<IdentityTables>) => {
          await demandFreeEmail(tx, email, null)
          await data.insertUserUnscoped(tx, account, values, passwordEnd(fields.passwordValidity, now()), [...new Set(fields.roles)], now())
          platform.audit.note({ entity: 'user', id, label: fields.account, after: { account: fields.account, ...logged(fields) } })
          return given === null ? hand(tx as never, { id, account: fields.account, email }, password, sendByEmail, language) : { id }
        })
        .catch(taken)
    },
    async change(session, sent, language) {
      const row = await actedOn(session, sent.id)
      demandEnabled(row)
      const [before] = await present([row], language)
      const { version, ...change } = unmasked(session, userChange, sent, { ...before })
      const stored: UserFields = before!
      const fields = leftAsItWas(stored, change)
      demandMasking(session, fields.enablePageDataMasking, row.masking)
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
        platform.audit.note({ entity: 'user', id: row.id, label: row.account, before: logged(stored), after: logged(fields) })
      })
    },
    async delete(session, id) {
      const row = await actedOn(session, id)
      demandOther(session, id)
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
      if (!enabled) demandOther(session, id)
      if (row.enabled === enabled) return
      await changed(id, async (tx) => {
        await data.updateEnabledUnscoped(tx, [id], enabled, now())
        if (!enabled) await demandAdministrator(tx, organisation.root().id, now(), 'id')
        platform.audit.note({ entity: 'user', id, label: row.account, before: { enabled: row.enabled }, after: { enabled } })
      })
    },
    async resetPassword(session, id, sendByEmail, language) {
      const row = await actedOn(session, id)
      demandOther(session, id)
      demandEnabled(row)
      // With the password he could log in as somebody who sees more.
      demandMasking(session, row.masking)
      if (sendByEmail && row.email === '') refuse(1200001)
      const password = inventPassword()
      const passwordHash = await hashPassword(password)
      const handed = await platform.transaction(async (tx: Tx<IdentityTables>) => {
        await storePassword(platform, tx as never, row, { passwordHash, mustChange: true, language })
        platform.audit.note({ entity: 'user', id, label: row.account, before: { password: '' }, after: { password: 'reset' } })
        await sessions.revokeAllIn(tx as never, { userId: id }, null)
        await endScreenLinks(platform, tx, id)
        return hand(tx as never, row, password, sendByEmail, language)
      })
      sessions.forgetOwners([id])
      return handed
    },
    isFreeName: async (account) => (await findAccountUnscoped(db, { account })) === undefined,
    isFreeEmail: async (email, userId) => platform.config.privatised || !(await data.emailTakenUnscoped(db, email, userId ?? null)),
  }
}
