/** Accounts and roles of the first park, made through the calls of the console. */
import type { PermissionCode } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { sealPassword, type Client } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'

export const PASSWORD = 'Turnstile-7'

/** Return the refused fields of an answer, each with its rule. */
export const fieldsRefused = (answer: { data: unknown }): string[] =>
  ((answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path} ${rule}`)

interface UserFields {
  account: string
  realName: string
  organisationId: string
  roles: string[]
}

let number = 0
const next = (): number => ++number

/** Return builders for a world. Options may be invalid on purpose. */
export function usersOf(world: World) {
  const park = world.park.id
  const db = world.server.platform.db

  async function role(
    permissions: PermissionCode[] = ['person', 'person.list'],
    options: { organisationId?: string; roleSign?: 'operator' | 'parkAdmin' | 'other' } = {},
  ): Promise<string> {
    return (await world.call(roleCalls.create, { body: { name: `Role ${next()}`, permissions, organisationId: park, ...options } })).id
  }
  const fieldsOf = async (options: Record<string, unknown> = {}) =>
    ({
      account: `user${next()}`,
      realName: 'Ada Lovelace',
      organisationId: park,
      roles: [await role()],
      ...options,
    }) as unknown as UserFields
  const read = (id: string) => world.call(userCalls.read, { params: { id } })

  return {
    role,
    fieldsOf,
    read,
    create: async (options: Record<string, unknown> = {}, by: Pick<Client, 'ask'> = world) =>
      by.ask(userCalls.create, { body: await fieldsOf(options) }),
    /** Create a user who has chosen a password and is logged in. */
    async loggedIn(options: Record<string, unknown> = {}): Promise<{ id: string; account: string; client: Client }> {
      const fields = await fieldsOf(options)
      const { id } = await world.call(userCalls.create, { body: { ...fields, password: await sealPassword(world, PASSWORD) } })
      // As if the first password had been replaced by the same one.
      await db.updateTable('userAccount').set({ mustChange: false }).where('id', '=', id).execute()
      return { id, account: fields.account, client: await world.as({ account: fields.account, password: PASSWORD }) }
    },
    /** Return what a form would send that changed only these options. */
    async changeBodyOf(id: string, options: Record<string, unknown> = {}) {
      const {
        realName,
        administratorName,
        email,
        phone,
        idCard,
        organisationId,
        roles,
        expiry,
        passwordValidity,
        enablePageDataMasking,
        version,
      } = await read(id)
      return {
        id,
        realName,
        administratorName,
        email,
        phone,
        idCard,
        organisationId,
        roles,
        expiry,
        passwordValidity,
        enablePageDataMasking,
        version,
        ...options,
      }
    },
  }
}
