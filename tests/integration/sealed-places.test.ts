/**
 * Encrypted data can be decrypted in its own place and nowhere else: neither in another row, nor in another column, nor in another park. An
 * attacker who can write to the database or the disk cannot move a number, a photo or a template to another person.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addressOf } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { accessMethod, deviceType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import { csvOf } from '@gatehouse/contract/files'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import { visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import { createReception } from '../../apps/server/src/contexts/visitors/testing/reception.ts'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { newId } from '@gatehouse/server/platform/database/ids'
import { INSTALLATION_ID } from '@gatehouse/server/platform/installation'
import { placeOf, type SealedColumn } from '@gatehouse/server/platform/encryption/sealed-column'
import { migrationsOf } from '@gatehouse/server/contexts'
import { startExport } from '../../apps/server/src/contexts/exports/testing/exports.ts'
import { oneTimePassword } from '../support/authenticator.ts'
import { query } from '../support/embedded-postgres.ts'
import { createFixtures, drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { usersOf } from '../support/users.ts'

/** The error when data is decrypted in the wrong place. */
const REFUSED = 'unable to authenticate data'

/** Columns with bytes that are not encrypted, and why. */
const NOT_SEALED: Record<string, readonly string[]> = {
  'wrapped by the master key, for its own id': ['data_key.wrapped'],
  'a hash of what somebody is to present': [
    'api_client.secret_hash',
    'device.secret_hash',
    'device_removal.secret_hash',
    'enrolment_link.token_hash',
    'former_refresh_token.hash',
    'recovery_code.hash',
    'screen_link.token_hash',
    'token.access_hash',
    'token.refresh_hash',
    'used_cipher_text.hash',
    'verification_code.code_hash',
    'verification_code.ticket_hash',
    'visitor_link.token_hash',
  ],
  'an index that finds equal values': [
    'attempt.subject',
    'known_device.device',
    'known_device.password',
    'login_failure.name',
    'login_failure.subject',
    'issued_card.number_ending',
    'issued_card.number_index',
    'person.card_ending',
    'person.card_index',
    'person.id_number_index',
    'person.personal_password_index',
    'person.phone_ending',
    'person.phone_index',
    'person_application.identity',
    'person_import_row.keys',
    'verification_code.subject',
    'visit.phone_ending',
    'visit.phone_index',
  ],
  'a public key, which devices are sent': ['visit_pass_key.public_key'],
  'a digest that tells whether something is the same': ['person_import_photo.digest', 'person_import_taken.digest', 'sync_audience.digest'],
}

let world: World
let declared: readonly SealedColumn[]
beforeAll(async () => {
  world = await startWorld({ logLevel: 'silent' })
  declared = migrationsOf(Object.values(world.server.contexts)).flatMap(({ sealed = [] }) => sealed)
})
afterAll(() => world?.stop())

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`

test('each column with bytes is declared as sealed, or it is said why it is not', async () => {
  const rows = await query<{ name: string }>(
    world.connectionString,
    `SELECT c.relname || '.' || a.attname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
        AND a.atttypid IN ('bytea'::regtype, 'bytea[]'::regtype)`,
  )
  const declaredOrExempt = [...declared.map(nameOf), ...Object.values(NOT_SEALED).flat()]
  expect(declaredOrExempt.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('each is declared with the key of its table, and with a column of the park', async () => {
  for (const { table, column, park, key } of declared) {
    const columns = await query<{ name: string }>(
      world.connectionString,
      'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
      [table],
    )
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([column, ...key, ...(park === null ? [] : [park])]))
    const keys = await query<{ name: string }>(
      world.connectionString,
      `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = $1::regclass AND i.indisprimary`,
      [table],
    )
    expect(key.toSorted(), nameOf({ table, column, park, key })).toEqual(keys.map(({ name }) => name).toSorted())
  }
})

/** Create data of every kind that is encrypted, through public calls. */
async function fill(): Promise<void> {
  const { site, device, person, group } = await createFixtures(world, world)
  const face = async () => (await site.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[1], 0) })).faceId
  const stored = { phone: '13800138000', cardNumber: '771', birthday: '1990-05-05', remark: 'walks with a limp' }
  const { id: personId } = await site.person({ ...stored, idType: 'other', idNumber: 'AB123456', personalPassword: '482913' })
  await site.call(contactCalls.create, {
    body: { personId, relation: 2, name: 'Anne Byron', phone: '13900139000', gender: 2, photo: await face() },
  })

  const user = await usersOf(world).loggedIn({ idCard: 'CD654321', phone: '13600136000' })
  const { secret } = await user.client.call(secondFactorCalls.begin, { body: {} })
  await user.client.call(secondFactorCalls.confirm, { body: { code: oneTimePassword(secret, world.clock.now()) } })
  const next = oneTimePassword(secret, world.clock.now() + 30_000)
  await user.client.call(secondFactorCalls.begin, { body: { code: next } })
  await world.server.platform.transaction((tx) =>
    world.server.platform.messages.send(tx, {
      channel: 'email',
      to: 'ada@example.org',
      subject: 'A code',
      text: 'Your code is 482913.',
      userId: null,
    }),
  )

  await site.call(parkSettingCalls.saveCarPark, {
    body: { url: '', createUrl: '', channel: '', appId: '', account: '', merchantCode: '', key: 'parking-key', secret: '', password: '' },
  })
  await site.call(configurationCalls.changePark, { body: { settings: {}, consolePassword: 'Turnstile7' } })
  await site.device({ devicePassword: '4829', userName: 'admin', password: 'Secret#1' })

  const leader = '00112233445566778899AABBCCDDEEFF'
  await site.call(cardCalls.createKey, { body: { type: 'leader', name: 'Leader', value: leader, confirmation: leader } })
  const desk = await site.device({ type: 13 })
  await site.call(cardCalls.startWrite, { body: { kind: 'leader', cardType: 0, deviceId: desk.id, transportKey: 'FFEEDDCCBBAA' } })
  await site.call(cardCalls.issue, {
    body: { personId: person.id, type: 0, number: '772', effectiveDate: '2026-01-01', expiryDate: '2099-12-31', password: '482913' },
  })
  const palmId = newId()
  // The request of a server to its collector, which answers it with a palm.
  await query(
    world.connectionString,
    'INSERT INTO person_palm (id, park_id, person_id, device_id, device_name, created_at) VALUES ($1, $2, $3, $4, $5, now())',
    [palmId, site.park.id, person.id, desk.id, 'Desk'],
  )
  await createClient(world.url, { basic: [desk.code, desk.secret] }).call(cardCalls.sendPalm, {
    params: { id: palmId },
    body: { template: Buffer.from('palm').toString('base64') },
    file: await drawnFace(),
  })

  const camera = await site.device({ type: deviceType.captureCamera, model: 1 })
  await createClient(world.url, { basic: [camera.code, camera.secret] }).call(numberedCalls.postedCapture, {
    query: { eventId: 'sealed' },
    file: await drawnFace(),
  })

  const { id: importId } = await site.call(importCalls.create, { body: { groupId: group.id } })
  const form = new FormData()
  const sheet = csvOf([
    ['name', 'workNumber'],
    ['Somebody', 'S-1'],
  ])
  form.append('file', new Blob([sheet]), 'people.csv')
  const { bearer } = site.client.credentials as { bearer: string }
  const address = world.url + addressOf(importCalls.addRows, { id: importId })
  const handedIn = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body: form })
  expect(handedIn.status).toBe(200)

  const link = await site.call(enrolmentCalls.createLink, { body: { groupId: group.id } })
  await createClient(world.url).call(enrolmentCalls.submit, {
    linkToken: link.url.slice(link.url.indexOf('#') + 1),
    body: { name: 'Grace', workNumber: 'G-1', phone: '13700137000', consent: 'true' },
    file: await portraitVariant(DISTINCT_PORTRAITS[0], 0),
  })

  await site.call(writtenRuleCalls.create, {
    body: { name: 'Nobody at the door', personGroupIds: [group.id], deviceIds: [device.id], reaction: 'ask' },
  })
  const rule = await site.timeRule()
  const against = {
    name: 'Against it',
    personGroupIds: [group.id],
    deviceIds: [device.id],
    timeRuleIds: [rule.id],
    methods: [accessMethod.face, accessMethod.card],
  }
  expect((await site.ask(strategyCalls.create, { body: against })).code).toBe(409)
  const { visit } = await createReception(world)
  await visit({ passMethods: [accessMethod.card], peers: [{ name: 'Jean', phone: '13700000001' }] })
  const { site: park, door } = await createReception(world)
  const byCode = await park.strategy({ kind: 'visitor', devices: [door], methods: [accessMethod.qrCode] })
  const { id: host } = await park.person({ name: 'Host' })
  const visitTime = world.clock.now()
  const rights = { accessGroupIds: [byCode.id], passMethods: [accessMethod.qrCode] }
  await park.call(visitorCalls.create, {
    body: { source: 3, name: 'Grace', phone: '13700137001', intervieweeId: host, reason: 1, visitTime, validDays: 1, ...rights },
  })
  const rules = { agreement: 'tick' as const, enabled: true, texts: { en: { title: 'Rules', text: 'Wear your badge.' } } }
  const { documents } = await park.call(visitorDocumentCalls.change, { body: { documents: [rules] } })
  const { url } = await park.call(visitorLinkCalls.createLink, { body: { kind: 'park' } })
  const accepted = { documentId: documents[0]!.id, documentVersion: 1, language: 'en' as const }
  const reserved = { key: newId(), name: 'Mary', phone: '13700137002', reason: 1 as const, visitTime, visitEndTime: visitTime + 3_600_000 }
  const linkToken = url.slice(url.indexOf('.', url.indexOf('#')) + 1)
  await createClient(world.url).call(appointmentCalls.submit, { linkToken, body: { ...reserved, documents: [accepted] } })
  await park.call(visitorImportCalls.create, {
    file: Buffer.from(
      csvOf([
        ['name', 'phone', 'visitTime'],
        ['Nobody', 'x', 'x'],
      ]),
    ),
  })
  await startExport(site.client)
  await site.call(ownCurveCalls.measure, { body: {} })
  await until('the people to be compared', async () => (await site.call(ownCurveCalls.read, {})).measuredAt !== null)
}

test('each value opens for its own row, column and park, and for no other', async () => {
  await fill()
  const { crypto } = world.server.platform
  const elsewhere = (await world.addPark()).park.id
  const without: string[] = []
  for (const [at, sealed] of declared.entries()) {
    const { table, column, park, key } = sealed
    const names = key.map((name) => `${name}::text`).join(`, `)
    const rows = await query<{ key: string[]; park: string; value: Buffer }>(
      world.connectionString,
      `SELECT ARRAY[${names}] AS key, ${park ?? `'${INSTALLATION_ID}'`}::text AS park, ${column} AS value
        FROM ${table} WHERE ${column} IS NOT NULL`,
    )
    if (rows.length === 0) without.push(nameOf(sealed))
    const another = declared[(at + 1) % declared.length]!
    for (const row of rows) {
      expect((await crypto.open(row.park, placeOf(sealed, ...row.key), row.value)).length, nameOf(sealed)).toBeGreaterThan(0)
      for (const which of key.keys()) {
        const other = row.key.with(which, newId())
        await expect(crypto.open(row.park, placeOf(sealed, ...other), row.value), nameOf(sealed)).rejects.toThrow(REFUSED)
      }
      await expect(crypto.open(row.park, placeOf(another, ...row.key), row.value), nameOf(sealed)).rejects.toThrow(REFUSED)
      await expect(crypto.open(elsewhere, placeOf(sealed, ...row.key), row.value), nameOf(sealed)).rejects.toThrow(REFUSED)
      await expect(crypto.openUnbound(row.park, row.value), nameOf(sealed)).rejects.toThrow(REFUSED)
    }
  }
  expect(without).toEqual([])
})

describe('what was exchanged behind the server’s back is not shown as the other’s', () => {
  /** Exchange a column of two rows for the rest of the test. */
  async function exchange(table: string, column: string, key: string, [one, other]: readonly [string, string]): Promise<void> {
    const run = () =>
      query(
        world.connectionString,
        `UPDATE ${table} AS held SET ${column} = other.${column} FROM ${table} AS other
          WHERE held.${key} = ANY($1::uuid[]) AND other.${key} = ANY($1::uuid[]) AND held.${key} <> other.${key}`,
        [[one, other]],
      )
    await run()
    onTestFinished(async () => void (await run()))
  }

  test('ID numbers', async () => {
    const group = await world.personGroup()
    const numbers = ['EX1000001', 'EX1000002', 'EX1000003']
    const persons: MadePerson[] = []
    for (const idNumber of numbers) persons.push(await world.person({ groupId: group.id, idType: 'other', idNumber }))
    const ids = persons.map(({ id }) => id)
    await exchange('person', 'id_number', 'id', [ids[0]!, ids[1]!])
    const shown = (id: string) => world.ask(peopleCalls.read, { query: { id } })
    expect(JSON.stringify(await shown(ids[0]!))).not.toContain(numbers[1])
    expect(JSON.stringify(await shown(ids[1]!))).not.toContain(numbers[0])
    // Persons whose number is in its place are still shown with it.
    const { content } = await world.call(peopleCalls.list, { query: { groupId: group.id } })
    expect(Object.fromEntries(content.map(({ id, idNumber }) => [id, idNumber]))).toEqual({
      [ids[0]!]: '',
      [ids[1]!]: '',
      [ids[2]!]: numbers[2],
    })
  })

  test('photographs on the disk', async () => {
    const [one, other] = [
      await world.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[1], 0) }),
      await world.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[0], 0) }),
    ]
    const files = await query<{ id: string; file: string }>(
      world.connectionString,
      'SELECT person_id AS id, file_id AS file FROM face WHERE person_id = ANY($1)',
      [[one.id, other.id]],
    )
    const pathOf = (person: MadePerson) => {
      const { file } = files.find(({ id }) => id === person.id)!
      return join(world.dataDir, 'files', file.slice(-2), `${file}.320`)
    }
    const [first, second] = [pathOf(one), pathOf(other)]
    const [ofOne, ofOther] = [readFileSync(first), readFileSync(second)]
    const { faces } = await world.call(peopleCalls.read, { query: { id: one.id } })
    const shown = async () => fetch(world.url + faces[0]!.url)
    expect((await shown()).status).toBe(200)
    writeFileSync(first, ofOther)
    writeFileSync(second, ofOne)
    onTestFinished(() => {
      writeFileSync(first, ofOne)
      writeFileSync(second, ofOther)
    })
    const answer = await shown()
    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).not.toMatch(/^image/)
  })

  test('templates of photographs: nobody is taken for the other', async () => {
    const [mine, theirs] = [await portraitVariant(DISTINCT_PORTRAITS[1], 0), await portraitVariant(DISTINCT_PORTRAITS[0], 0)]
    const [one, other] = [await world.person({ photo: mine }), await world.person({ photo: theirs })]
    const alike = async () => {
      const { similar } = await world.call(faceCalls.cache, { body: {}, file: mine })
      return similar!.map(({ personId }) => personId)
    }
    await world.settled()
    expect(await alike()).toContain(one.id)
    await world.interrupted(() => exchange('face_template', 'template', 'face_id', [one.faceIds[0]!, other.faceIds[0]!]))
    const found = await alike()
    expect(found).not.toContain(one.id)
    expect(found).not.toContain(other.id)
  })
})
