/** The roles that every installation has: how they are stored, kept in step with this version, and called. */
import type { Language } from '@gatehouse/contract'
import { READY_ROLES, READY_ROLE_KEYS, type ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import en from '@gatehouse/contract/i18n/en/readyRoles.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/readyRoles.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/readyRoles.json' with { type: 'json' }
import { sql } from 'kysely'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

type Words = Record<ReadyRoleKey, { name: string; words: string }>
const words: Record<Language, Words> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** A role as it is called: a ready one in the language of the request. */
export const roleName = (language: Language, { name, ready }: { name: string; ready: ReadyRoleKey | null }): string =>
  ready === null ? name : words[language][ready].name

/** Name and remark of a role, which of a ready one are its words in the language of the request. */
export const roleWords = (
  language: Language,
  role: { name: string; remark: string; ready: ReadyRoleKey | null },
): { name: string; remark: string } => ({
  name: roleName(language, role),
  remark: role.ready === null ? role.remark : words[language][role.ready].words,
})

/** What each ready role is called. */
export const readyNames = (language: Language): Record<ReadyRoleKey, string> =>
  Object.fromEntries(READY_ROLE_KEYS.map((key) => [key, words[language][key].name])) as Record<ReadyRoleKey, string>

/** Ready roles whose name holds a term. */
export const readyCalled = (language: Language, term: string): ReadyRoleKey[] =>
  READY_ROLE_KEYS.filter((key) => words[language][key].name.toLowerCase().includes(term.toLowerCase()))

/**
 * Makes the ready roles what this version says they are.
 *
 * @returns users who hold one that changed
 */
export async function keepReadyRolesUnscoped(db: Database<IdentityTables>, now: number): Promise<string[]> {
  const rows = READY_ROLE_KEYS.map((key) => {
    const { id, roleSign, roleLabel, permissions } = READY_ROLES[key]
    return {
      id,
      ready: key,
      name: words.en[key].name,
      role_sign: roleSign,
      role_label: roleLabel,
      permissions: [...permissions] as string[],
      organisation_id: null,
      device_group_ids: [],
      remark: '',
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    }
  })
  const changed = await db
    .insertInto('role')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          role_sign: eb.ref('excluded.role_sign'),
          role_label: eb.ref('excluded.role_label'),
          permissions: eb.ref('excluded.permissions'),
          updated_at: eb.ref('excluded.updated_at'),
          version: sql<number>`role.version + 1`,
        }))
        .where(
          sql<boolean>`(role.name, role.role_sign, role.role_label, role.permissions)
            IS DISTINCT FROM (excluded.name, excluded.role_sign, excluded.role_label, excluded.permissions)`,
        ),
    )
    .returning('id')
    .execute()
  if (changed.length === 0) return []
  const ids = changed.map(({ id }) => id)
  const holders = await db.selectFrom('user_role').select('user_id').distinct().where('role_id', 'in', ids).execute()
  return holders.map(({ user_id: userId }) => userId)
}
