/** Values of people in the operation log are encrypted, each change for its own entry. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { auditCalls, type OperationDetail } from '@gatehouse/contract/audit/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { newId } from '../../platform/database/ids.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const PHONE = '13987650123'
const CONTACT_PHONE = '13987650177'
const VALUES = {
  phone: PHONE,
  cardNumber: '4419273301',
  birthday: '1987-03-29',
  remark: 'walks with a limp',
  nationality: 'Ruritania',
  personalPassword: '97531864',
}
/** Connections of the server's pool. */
const CONNECTIONS = 10
const LOCKER = 'Locker 4711-B'

/** Return all columns of all entries of a park, as text. */
async function standing(site: Site): Promise<string> {
  const rows = await query<{ row: string }>(
    world.connectionString,
    'SELECT row_to_json(operation_log)::text AS row FROM operation_log WHERE park_id = $1',
    [site.park.id],
  )
  return rows.map(({ row }) => row).join('\n')
}

async function details(client: Pick<Client, 'call'>): Promise<OperationDetail[]> {
  const { content } = await client.call(auditCalls.operations, { query: { size: 100 } })
  return Promise.all(content.map(({ id }) => client.call(auditCalls.operation, { params: { id } })))
}

/** Create a person with a value in every field, all of which were changed, and a contact of that person. */
async function changedPerson(site: Site): Promise<string> {
  const persons = personsOf(site)
  const { version } = await site.call(personFormCalls.read, {})
  await site.call(personFormCalls.change, { body: { fields: [{ title: 'Locker' }], version } })
  const [locker] = (await site.call(personFormCalls.read, {})).fields
  const id = await persons.made({ name: 'Wendeline Quist', ...VALUES, customFields: [{ id: locker!.id, value: LOCKER }] })
  expect(
    await persons.change(id, {
      phone: '13987650199',
      cardNumber: '4419273302',
      birthday: '1987-03-30',
      remark: 'walks well',
      nationality: '',
      customFields: [],
    }),
  ).toMatchObject({ code: 0 })
  await site.call(contactCalls.create, {
    body: {
      personId: id,
      name: 'Sebastian Quist',
      phone: CONTACT_PHONE,
      relation: 1,
      gender: 1,
      photo: await persons.face(await drawnFace()),
    },
  })
  await site.call(peopleCalls.status, { body: { ids: [id], status: 0 } })
  return id
}

describe('phone, card, birthday, remark and own fields of a person', () => {
  test('are told to who may see them, and stand in no column of the log', async () => {
    const site = await world.addPark()
    await changedPerson(site)
    const serialized = JSON.stringify(await details(site))
    const { personalPassword, ...shown } = VALUES
    for (const value of [...Object.values(shown), CONTACT_PHONE]) expect(serialized).toContain(value)
    expect(serialized).not.toContain(personalPassword)
    const text = await standing(site)
    for (const value of [...Object.values(VALUES), LOCKER, CONTACT_PHONE, '13987650199', 'walks well']) expect(text).not.toContain(value)
    // Names are not encrypted: entries are searched by them.
    expect(text).toContain('Wendeline Quist')
    expect((await site.call(auditCalls.operations, { query: { subject: 'Wendeline' } })).total).toBe(3)
  })

  test('are gone from the log with their erasure, what is sealed too', async () => {
    const site = await world.addPark()
    const id = await changedPerson(site)
    const ofPerson = async () => (await openedLog(world)).filter((change) => change.entity === 'person' && change.id === id)
    expect((await ofPerson()).flatMap(({ fields }) => fields).length).toBeGreaterThan(5)
    await site.call(privacyCalls.erase, { body: { personIds: [id], reason: 'Asked for' } })
    await world.settled()
    expect((await ofPerson()).length).toBeGreaterThan(2)
    expect((await ofPerson()).flatMap(({ fields }) => fields)).toEqual([])
    const rows = await query<{ change: object }>(
      world.connectionString,
      `SELECT one AS change FROM operation_log, jsonb_array_elements(changes) one WHERE one->>'id' = $1`,
      [id],
    )
    for (const { change } of rows) expect(change).not.toHaveProperty('sealed')
  })
})

describe('a value', () => {
  /** Create two entries about the same person, of the same call. */
  async function twoEntries(site: Site) {
    for (const remark of ['the first', 'the second'])
      await world.server.platform.audit.during(
        peopleCalls.change as Call,
        { kind: 'user', userId: newId(), account: 'x', operator: 'Tess Tester', scope: { parkId: site.park.id } },
        '',
        async () => {
          world.server.platform.audit.note({ entity: 'person', id: 'p', label: 'Ada', labelMask: 'name', after: { remark } })
          world.server.platform.audit.note({ entity: 'person', id: 'q', label: 'Grace', labelMask: 'name', after: { remark } })
        },
      )
    const { content } = await site.call(auditCalls.operations, { query: { subject: 'Ada' } })
    return content.map(({ id }) => id)
  }
  const sealedAt = (id: string, at: number) =>
    query<{ sealed: string }>(world.connectionString, `SELECT changes->$2::int->>'sealed' AS sealed FROM operation_log WHERE id = $1`, [
      id,
      at,
    ])
  const write = (id: string, at: number, sealed: string) =>
    query(world.connectionString, 'UPDATE operation_log SET changes = jsonb_set(changes, $2::text[], to_jsonb($3::text)) WHERE id = $1', [
      id,
      [String(at), 'sealed'],
      sealed,
    ])

  test('that somebody moved from another entry, or from another change of it, is not shown, and the rest of the entry is', async () => {
    const site = await world.addPark()
    const [second, first] = await twoEntries(site)
    const [[ofSecond], [ofFirst]] = [await sealedAt(second!, 0), await sealedAt(first!, 1)]
    const read = async (id: string) => (await site.call(auditCalls.operation, { params: { id } })).changes
    const whole = await read(first!)
    expect(whole).toMatchObject([{ fields: [{ after: 'the first' }] }, { fields: [{ after: 'the first' }] }])
    for (const change of whole) expect(change).not.toHaveProperty('unreadable')

    for (const moved of [ofSecond!.sealed, ofFirst!.sealed, 'nonsense']) {
      await write(first!, 0, moved)
      expect(await read(first!)).toEqual([
        { entity: 'person', id: 'p', label: 'Ada', kind: 'created', unreadable: true, fields: [] },
        whole[1],
      ])
    }
    expect(await read(second!)).toMatchObject([{ fields: [{ after: 'the second' }] }, { fields: [{ after: 'the second' }] }])
  })

  test('is sealed for parks that have no key yet while every connection is taken', async () => {
    const { platform } = world.server
    let inside = 0
    let everybody = (): void => {}
    const all = new Promise<void>((resolve) => (everybody = resolve))
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, at) =>
        platform.audit.during(
          peopleCalls.change as Call,
          { kind: 'user', userId: newId(), account: 'x', operator: 'Tess Tester', scope: { parkId: crypto.randomUUID() } },
          '',
          () =>
            platform.transaction(async () => {
              platform.audit.note({ entity: 'person', id: `many-${at}`, before: { remark: 'a' }, after: { remark: 'b' } })
              inside += 1
              if (inside === CONNECTIONS) everybody()
              await all
            }),
        ),
      ),
    )
    expect((await openedLog(world)).filter(({ id }) => id.startsWith('many-'))).toHaveLength(CONNECTIONS)
  })
})
