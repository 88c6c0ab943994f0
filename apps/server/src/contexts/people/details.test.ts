/** Encryption of persons' data at rest: the database contains none of it in plain text, and each value is bound to its row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { openCrypto } from '../../platform/encryption/crypto.ts'
import { openDatabase, sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { migrate, noKeys } from '../../platform/database/migrations.ts'
import { openSecrets } from '../../platform/encryption/secrets.ts'
import { composeUnstarted, migrationsOf } from '../../contexts.ts'
import { scratchDatabase } from '../../platform/postgres/scratch.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { cardKeyOf } from './card.ts'
import { findPersons } from './data.ts'
import { listPersons, type PersonQuery } from './listing-data.ts'
import { detailsMigration } from './details-migration.ts'

const PHONE = '13912345678'
const CARD = '3141592653'
const EMAIL = 'sealed.person@example.org'
const BIRTHDAY = '1987-06-05'
const REMARK = 'Comes by the back door'
const INSTRUCTION = 'Keep her talking at the gate'
const CONTACT_PHONE = '13987654321'
const APPLICANT_PHONE = '13700001111'
const ISSUED = '2718281828'

let world: World
let site: Site
beforeAll(async () => {
  world = await startWorld()
  site = await world.addPark()
})
afterAll(() => world?.stop())

/** Return every row of every table as PostgreSQL writes it, with the number of a card also in the form in which it would be compared. */
async function everything(): Promise<{ table: string; text: string }[]> {
  const { db } = world.server.platform
  const { rows: tables } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`.execute(db)
  const all = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`SELECT held::text AS text FROM ${sql.table(name)} AS held`.execute(db)
    all.push(...rows.map(({ text }) => ({ table: name, text })))
  }
  return all
}

describe('in the database', () => {
  test('phones, e-mails, cards, birthdays, remarks and instructions stand nowhere in clear, however they came', async () => {
    const made = await site.person({ name: 'Sealed', phone: PHONE, email: EMAIL, cardNumber: CARD, birthday: BIRTHDAY, remark: REMARK })
    const person = await site.call(peopleCalls.read, { query: { id: made.id } })
    expect(person).toMatchObject({ phone: PHONE, email: EMAIL, cardNumber: CARD, birthday: BIRTHDAY, remark: REMARK })
    const photo = await personsOf(site).face(await portrait('contact of a sealed person'))
    await site.call(contactCalls.create, {
      body: { personId: made.id, name: 'Mother', relation: 2, phone: CONTACT_PHONE, gender: 2, photo },
    })
    await site.call(enrolmentCalls.apply, {
      body: {
        system: 'Personnel',
        reference: '1',
        name: 'Applicant',
        phone: APPLICANT_PHONE,
        gender: 1,
        groupId: person.groupId,
      },
    })
    const other = await site.person({ name: 'With an issued card' })
    await site.call(cardCalls.issue, {
      body: {
        personId: other.id,
        type: 0,
        number: ISSUED,
        numberFormat: 'decimal',
        effectiveDate: '2020-01-01',
        expiryDate: '2090-01-01',
      },
    })
    const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    await site.call(specialCalls.create, { body: { name: 'On the list', groupId, instruction: INSTRUCTION } })
    await world.settled()
    const values = [PHONE, EMAIL, CARD, BIRTHDAY, REMARK, INSTRUCTION, CONTACT_PHONE, APPLICANT_PHONE, ISSUED]
    const found = (await everything()).flatMap(({ table, text }) =>
      values.filter((value) => text.includes(value)).map((value) => `${value} in ${table}`),
    )
    expect([...new Set(found)]).toEqual([])
    expect((await site.call(contactCalls.list, { query: { personId: made.id } }))[0]).toMatchObject({ phone: CONTACT_PHONE })
    expect((await site.call(cardCalls.list, { query: { number: ISSUED } })).content).toMatchObject([{ number: ISSUED }])
  })
})

test('what stood in clear before is sealed by the migration, found as it was, and in no file that is still read', async () => {
  const { connectionString, drop } = await scratchDatabase()
  const { db, close } = openDatabase(connectionString)
  try {
    const migrations = migrationsOf(composeUnstarted().list).toSorted((one, other) => (one.name < other.name ? -1 : 1))
    await migrate(
      db,
      migrations.filter(({ name }) => name < detailsMigration.name),
      noKeys,
    )
    const [parkId, groupId] = [newId(), newId()]
    await sql`INSERT INTO person_group (id, park_id, name, type, created_at) VALUES (${groupId}, ${parkId}, 'All', 1, now())`.execute(db)
    const former = Array.from({ length: 1_203 }, (_, at) => ({
      id: newId(),
      phone: at % 3 === 0 ? null : `139${String(at).padStart(8, '0')}`,
      cardNumber: at % 2 === 0 ? null : `C${1_000 + at}`,
      birthday: at % 5 === 0 ? null : '1987-06-05',
      remark: at % 7 === 0 ? REMARK : '',
    }))
    for (const { id, phone, cardNumber, birthday, remark } of former)
      await sql`INSERT INTO person (id, park_id, group_id, kind, name, phone, gender, card_number, card_number_format, card_key, birthday,
        remark, created_at, updated_at)
        VALUES (${id}, ${parkId}, ${groupId}, 'staff', ${id === former[1_201]!.id ? '陈天佑' : 'Former'}, ${phone}, 3, ${cardNumber}, 'hex',
        ${cardKeyOf(cardNumber, 'hex')}, ${birthday}, ${remark}, now(), now())`.execute(db)
    const secrets = openSecrets(scratchFolder())
    await migrate(db, migrations, (tx) => openCrypto(tx as never, secrets, null))

    const crypto = await openCrypto(db as never, secrets, null)
    const [scope, reading] = [{ parkId }, { db: db as never, crypto }]
    const persons = new Map(
      (
        await findPersons(
          scope,
          reading,
          former.map(({ id }) => id),
        )
      ).map((person) => [person.id, person]),
    )
    for (const one of former) expect(persons.get(one.id)).toMatchObject(one)
    const found = async (query: Partial<PersonQuery>) =>
      (await listPersons(scope, reading, { page: 1, size: 10, ...query } as PersonQuery, null, 0)).content.map(({ id }) => id)
    const { id, phone, cardNumber } = former[1_201]!
    expect(await found({ phone: phone! })).toEqual([id])
    expect(await found({ cardNumber: cardNumber! })).toEqual([id])
    // No user has changed the name since: the migration added its spelling.
    expect(await found({ keyword: 'chentianyou' })).toEqual([id])
    const { rows } = await sql<{ text: string }>`SELECT person::text AS text FROM person`.execute(db)
    // Whole numbers of eleven digits: a shorter part of one may occur in the hexadecimal digits of an encrypted value by chance.
    const clear = [REMARK, '1987-06-05', ...former.flatMap(({ phone: number }) => number ?? [])]
    const text = rows.map((row) => row.text).join('\n')
    expect(clear.filter((value) => text.includes(value))).toEqual([])
    // The nightly job rewrites the table: the dropped columns stay in its files until then.
    expect((await sql`SELECT since FROM leftovers`.execute(db)).rows).not.toEqual([])
  } finally {
    await close()
    await drop()
  }
})

test('a value that was moved to somebody else is shown as none, and keeps nobody else back', async () => {
  const own = await world.addPark()
  const [ann, ben] = [
    await own.person({ name: 'Ann', phone: '13800000001', cardNumber: '10001' }),
    await own.person({ name: 'Ben', phone: '13800000002', cardNumber: '10002' }),
  ]
  const { db } = world.server.platform
  await sql`UPDATE person SET details = (SELECT details FROM person WHERE id = ${ann.id}) WHERE id = ${ben.id}`.execute(db)
  const { content } = await own.call(peopleCalls.list, { query: {} })
  expect(content.map(({ name, phone, cardNumber }) => [name, phone, cardNumber]).toSorted()).toEqual([
    ['Ann', '13800000001', '10001'],
    ['Ben', '', ''],
  ])
  expect(await own.call(peopleCalls.read, { query: { id: ben.id } })).toMatchObject({ phone: '', cardNumber: '' })
  const file = await fetch(`${world.url}${peopleCalls.export.url}?format=csv`, {
    headers: { authorization: `Bearer ${(own.client.credentials as { bearer: string }).bearer}` },
  })
  expect([file.status, (await file.text()).split('\n').filter((line) => /Ann|Ben/.test(line))]).toMatchObject([200, { length: 2 }])
})
