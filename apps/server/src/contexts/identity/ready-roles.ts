/** The ready roles, which every installation has: their rows, which each start adapts to this version, and their names. */
import type { Language } from '@gatehouse/contract'
import { READY_ROLES, READY_ROLE_KEYS, type ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import en from '@gatehouse/contract/i18n/en/readyRoles.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/readyRoles.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/readyRoles.json' with { type: 'json' }
import { sql } from 'kysely'
import { timestamp, type Database } from '../../platform/database/database.ts'

type Words = Record<ReadyRoleKey, { name: string; words: string }>
const words: Record<Language, Words> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Return the name of a role; that of a ready role is in the language of the request. */
export const roleName = (language: Language, { name, ready }: { name: string; ready: ReadyRoleKey | null }): string =>
  ready === null ? name : words[language][ready].name

/** Return the name and the remark of a role; those of a ready role are in the language of the request. */
export const roleWords = (
  language: Language,
  role: { name: string; remark: string; ready: ReadyRoleKey | null },
): { name: string; remark: string } => ({
  name: roleName(language, role),
  remark: role.ready === null ? role.remark : words[language][role.ready].words,
})

/** Return the name of each ready role. */
export const readyNames = (language: Language): Record<ReadyRoleKey, string> =>
  Object.fromEntries(READY_ROLE_KEYS.map((key) => [key, words[language][key].name])) as Record<ReadyRoleKey, string>

/** Return the ready roles whose name contains a term. */
export const readyCalled = (language: Language, term: string): ReadyRoleKey[] =>
  READY_ROLE_KEYS.filter((key) => words[language][key].name.toLowerCase().includes(term.toLowerCase()))

/**
 * Store the ready roles as this version defines them.
 *
 * @returns ids of the users who hold a role that changed
 */
export async function keepReadyRolesUnscoped(db: Database, now: number): Promise<string[]> {
  const rows = READY_ROLE_KEYS.map((key) => {
    const { id, roleSign, roleLabel, permissions } = READY_ROLES[key]
    return {
      id,
      ready: key,
      name: words.en[key].name,
      roleSign,
      roleLabel,
      permissions: [...permissions] as string[],
      organisationId: null,
      deviceGroupIds: [],
      remark: '',
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
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
          roleSign: eb.ref('excluded.roleSign'),
          roleLabel: eb.ref('excluded.roleLabel'),
          permissions: eb.ref('excluded.permissions'),
          updatedAt: eb.ref('excluded.updatedAt'),
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
  const holders = await db.selectFrom('userRole').select('userId').distinct().where('roleId', 'in', ids).execute()
  return holders.map(({ userId }) => userId)
}
