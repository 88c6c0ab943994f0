/**
 * What the browser tests of a worker share: one browser, and one world with a park for each file. A file that changes what belongs to the
 * whole installation starts a world of its own.
 */
import { expect } from 'vitest'
import type { Browser } from 'playwright-core'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { PARK } from '@gatehouse/server/contexts/organisation/data'
import { launchChromium } from './chromium.ts'
import { query } from './embedded-postgres.ts'

let world: Promise<World> | undefined
let browser: Promise<Browser> | undefined

/** Return the worker's browser, which ends with the worker. */
export const sharedBrowser = (): Promise<Browser> => (browser ??= launchChromium())

/** Return fingerprints of what belongs to no park of a file, by table: rows of the installation, and of the park the world started with. */
async function fingerprint({ connectionString, park }: World): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    connectionString,
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'park_id'
       and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition)
       and table_name not in ('token', 'operation_log', 'read_log') order by 1`,
  )
  const prints = tables.map(
    ({ name }) =>
      `select '${name}' as name, coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as print
         from "${name}" t where park_id is null or park_id::text = '${park.id}'`,
  )
  // Settings and the account that every session and every screen of the worker depends on.
  const ofAll = `select 'setting' as name, coalesce(md5(string_agg(s.owner_id || s.name || s.value::text, '' order by s.owner_id,
    s.name)), '') as print
      from setting s left join organisation o on o.id = s.owner_id where o.id is null or o.type <> ${PARK} or o.id::text = '${park.id}'
    union all select 'user_account', md5(row(enabled, masking, organisation_id, expires_at, password_hash, real_name)::text)
      from user_account where account = '${ADMIN.account}'`
  const rows = await query<{ name: string; print: string }>(connectionString, [...prints, ofAll].join(' union all '))
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
}

/**
 * Return the worker's world, seen from a park that belongs to this file alone. When stopped, it checks that nothing has changed outside of
 * that park.
 */
export async function sharedWorld(): Promise<World> {
  const whole = await (world ??= startWorld({ console: true }))
  const before = await fingerprint(whole)
  const seen = await whole.inPark()
  // Doors of a test go offline and online, and visitors come: notifications about them would cover what the next test clicks.
  await seen.call(alarmsCalls.saveAccountAlert, { body: { deviceOffline: false, visitCheck: false, visitArrive: false } })
  return Object.defineProperties({} as World, {
    ...Object.getOwnPropertyDescriptors(seen),
    stop: {
      value: async () => {
        await seen.stop()
        const after = await fingerprint(whole)
        const changed = Object.keys(after).filter((table) => after[table] !== before[table])
        expect(changed, 'tables changed outside of the park of this file, which therefore needs a world of its own').toEqual([])
      },
    },
  })
}
