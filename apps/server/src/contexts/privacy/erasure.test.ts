/** Erasure, end to end: a person who passed a door, stored on two terminals of which one is offline, has to be erased everywhere. */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls, type Erasure } from '@gatehouse/contract/privacy/calls'
import type { ChangedMessage, DeviceHoldings } from '@gatehouse/contract/device/protocol-status'
import { startWorld, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { startWireDevice } from '../../../../../tests/support/wire-device.ts'

let world: World
let photos: Buffer[]
let other: Buffer
beforeAll(async () => {
  world = await startWorld()
  const isReal = world.photographs.kind === 'real'
  if (!isReal) console.log('Erasure is tried with drawn people: the photographs of real ones are not there.')
  const [one, two] = isReal ? ['colin_powell', 'hu_jintao'].map((identity) => world.photographs.person(identity)) : world.photographs.people
  photos = await Promise.all([one!.photo(1), one!.photo(2)])
  other = await two!.photo(1)
})
afterAll(() => world?.stop())

const NAME = 'Quirinus Vandersloot'
const REASON = 'Asked for in writing'
const policyOf = (site: Site, recordsOnErasure: 'keep' | 'pseudonymise') =>
  site.call(privacyCalls.changePolicy, {
    body: { consentRequired: false, consentText: {}, recordsOnErasure, retention: { staff: null, customer: null, special: null } },
  })

async function erase(site: Pick<Site, 'call'>, personIds: readonly string[]): Promise<Erasure> {
  const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [...personIds], reason: REASON } })
  return site.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
}
const read = (site: Pick<Site, 'call'>, { id }: { id: string }) => site.call(privacyCalls.read, { params: { id } })
const place = (receipt: Erasure, name: string) => receipt.places.find((one) => one.place === name)!
const complete = (site: Pick<Site, 'call'>, receipt: { id: string }) =>
  until('the receipt to be complete', async () => {
    const now = await read(site, receipt)
    return now.completedAt === null ? null : now
  })

/** Return the number of rows of each of our tables in which a text occurs, by table. */
async function tablesNaming(text: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    world.connectionString,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE 'kysely_%' ORDER BY 1`,
  )
  const asked = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM "${name}" t WHERE strpos(row_to_json(t)::text, $1) > 0`,
  )
  const rows = await query<{ name: string; rows: string }>(world.connectionString, asked.join(' UNION ALL '), [text])
  return Object.fromEntries(rows.filter((row) => Number(row.rows) > 0).map((row) => [row.name, Number(row.rows)]))
}

const filesOf = async (personId: string): Promise<string[]> =>
  (await query<{ id: string }>(world.connectionString, 'SELECT file_id AS id FROM face WHERE person_id = $1', [personId])).map(
    ({ id }) => id,
  )
const capturesOf = async (personId: string): Promise<string[]> =>
  (
    await query<{ id: string }>(
      world.connectionString,
      'SELECT capture_file_id AS id FROM access_record WHERE person_id = $1 AND capture_file_id IS NOT NULL',
      [personId],
    )
  ).map(({ id }) => id)
const onDisk = (fileIds: readonly string[]): string[] => {
  const folder = join(world.dataDir, 'files')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
  return names.filter((name) => fileIds.some((id) => name.includes(id)))
}

/** Return what a terminal's own database contains of a person: numbers of rows by table in which the id or the name occurs. */
function storedAt(code: string, person: MadePerson): Record<string, number> {
  // A running terminal keeps its file locked: a copy is read.
  const folder = mkdtempSync(join(world.dataDir, 'copy-'))
  cpSync(join(world.dataDir, `terminal-${code}`), folder, { recursive: true })
  const found: Record<string, number> = {}
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sqlite') || name.endsWith('.db'))) {
    const database = new DatabaseSync(join(folder, file))
    try {
      const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).all() as {
        name: string
      }[]
      for (const { name } of tables) {
        const rows = database.prepare(`SELECT * FROM "${name}"`).all()
        const naming = rows.filter((row) => [person.id, person.name].some((text) => JSON.stringify(row).includes(text)))
        if (naming.length > 0) found[name] = naming.length
      }
    } finally {
      database.close()
    }
  }
  return found
}

describe('somebody known at two terminals, one of them away', () => {
  test('is gone everywhere that can be reached; the other terminal stays pending by name until it has come back and let go', async () => {
    await policyOf(world, 'pseudonymise')
    const [near, far] = [
      await world.terminal(await world.device({ name: 'Near door' })),
      await world.terminal(await world.device({ name: 'Far door' })),
    ]
    const { faceId: contactFace } = await world.call(faceCalls.cache, { body: {}, file: other })
    // A work number as short as usual occurs by chance in cipher texts and device codes too.
    const person = await world.person({
      name: NAME,
      workNumber: 'Vandersloot-4711',
      phone: '13911112222',
      photo: photos[0]!,
      permittedAt: [near.device, far.device],
      contacts: [{ relation: 1, name: 'Ottoline Vandersloot', phone: '13911113333', gender: 2, photo: contactFace }],
    })
    const stays = await world.person({ photo: other, permittedAt: near.device })
    await world.settled()
    expect((await near.show(photos[1]!)).personId).toBe(person.id)
    await world.settled()
    await far.stop()
    await until(
      'the far door to count as away',
      async () => (await world.call(deviceCalls.read, { params: { id: far.device.id } })).onlineStatus !== 1,
    )
    const [faces, captures] = [await filesOf(person.id), await capturesOf(person.id)]
    expect(onDisk(faces).length).toBeGreaterThan(0)
    expect(onDisk(captures).length).toBeGreaterThan(0)

    const preview = await world.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    const counts = Object.fromEntries(preview.places.map((one) => [one.place, one.count]))
    expect(counts).toMatchObject({ person: 1, contacts: 1, photographs: 1, records: 1, captures: 1, terminal: 2, terminalRecords: 2 })
    expect(preview.places.some(({ kept }) => kept)).toBe(false)

    const asked = await erase(world, [person.id])
    expect(asked).toMatchObject({ personId: person.id, kind: 'staff', origin: 'request', reason: REASON })
    expect(asked.number).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)
    const waiting = await until('all but the far door', async () => {
      const now = await read(world, asked)
      return now.places.every(({ state, name }) => state !== 'pending' || name === 'Far door') ? now : null
    })
    expect(waiting.completedAt).toBeNull()
    expect(waiting.places.filter(({ state }) => state === 'pending')).toMatchObject(
      ['terminal', 'terminalRecords'].map((where) => ({ place: where, name: 'Far door', deviceId: far.device.id, at: null })),
    )
    expect(waiting.places.filter(({ name }) => name === 'Near door')).toMatchObject(
      ['terminal', 'terminalRecords'].map((where) => ({ place: where, state: 'done', removed: false })),
    )
    for (const one of waiting.places) if (one.state === 'done') expect(one.at).toBeGreaterThanOrEqual(waiting.requestedAt)
    for (const [name, count] of [
      ['contacts', 1],
      ['photographs', 2],
      ['templates', 2],
      ['records', 1],
      ['captures', 1],
    ] as const)
      expect(place(waiting, name)).toMatchObject({ state: 'done', count })

    // Files, search, door.
    expect(onDisk([...faces, ...captures])).toEqual([])
    const { faceId } = await world.call(faceCalls.cache, { body: {}, file: photos[0]! })
    const { hits } = await world.call(searchCalls.oneToN, { body: { faceId, precision: 6, custom: 1, top: 50 } })
    expect(hits.map(({ personId }) => personId)).not.toContain(person.id)
    expect(await near.show(photos[1]!)).toMatchObject({ verdict: 'rejected', personId: null })
    expect((await near.show(other)).personId).toBe(stays.id)
    expect(storedAt(near.device.code, person)).toEqual({})
    expect(storedAt(far.device.code, person)).toMatchObject({ person: 1, face: 1 })

    const back = await world.terminal(far.device)
    const done = await complete(world, asked)
    expect(done.places.filter(({ name }) => name === 'Far door')).toMatchObject([
      { state: 'done', removed: false },
      { state: 'done', removed: false },
    ])
    expect(done.completedAt).toBe(Math.max(...done.places.map(({ at }) => at ?? 0)))
    await world.settled()
    expect(storedAt(back.device.code, person)).toEqual({})

    // No name anywhere; the id only where the receipt, the log and pending messages to devices need it.
    for (const text of [NAME, 'Ottoline', '13911112222', person.workNumber])
      expect({ text, ...(await tablesNaming(text)) }).toEqual({ text })
    const byRule = ['erasure', 'operation_log', 'read_log', 'outbox', 'sync_change', 'sync_erasure']
    expect(Object.keys(await tablesNaming(person.id)).filter((table) => !byRule.includes(table))).toEqual([])
    const records = await query<{ person_id: string; person_name: string; work_number: string; capture_file_id: string | null }>(
      world.connectionString,
      `SELECT * FROM access_record WHERE device_id = $1 AND result = 1 AND person_id <> $2`,
      [near.device.id, stays.id],
    )
    expect(records).toMatchObject([{ person_name: expect.stringMatching(/^#[0-9a-f]{8}$/), work_number: '', capture_file_id: null }])
    await near.stop()
    await back.stop()
  })

  test('is not waited for at a terminal that is removed: the receipt says that it cannot be read back', async () => {
    const door = await world.terminal(await world.device({ name: 'Old door' }))
    const person = await world.person({ name: 'Old Acquaintance', photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    await door.stop()
    const asked = await erase(world, [person.id])
    await until('all but the door', async () =>
      (await read(world, asked)).places.every(({ state, name }) => state !== 'pending' || name === 'Old door'),
    )
    await world.call(deviceCalls.delete, { query: { ids: [door.device.id] } })
    const done = await complete(world, asked)
    expect(done.places.filter(({ deviceId }) => deviceId !== null)).toMatchObject(
      ['terminal', 'terminalRecords'].map((where) => ({ place: where, name: 'Old door', state: 'done', removed: true })),
    )
  })

  test('leaves no name in passages a terminal had kept and delivers only afterwards, and no picture', async () => {
    const door = await world.terminal(await world.device({ name: 'Late door' }))
    const person = await world.person({ name: 'Latecomer Lazuli', photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    const gone = { online: false }
    await world.interrupted(async () => {
      await until('the terminal to notice', () => door.state().link.kind === 'away')
      expect((await door.show(photos[1]!)).personId).toBe(person.id)
      gone.online = true
      await door.stop()
    })
    const asked = await erase(world, [person.id])
    const back = await world.terminal(door.device)
    await complete(world, asked)
    await world.settled()
    await until(
      'the passage to be delivered',
      async () => (await query(world.connectionString, 'SELECT id FROM access_record WHERE device_id = $1', [door.device.id])).length === 1,
    )
    await until('its picture to have been sent', () => back.state().queue.pictures === 0)
    expect({ ...(await tablesNaming('Latecomer')) }).toEqual({})
    const [record] = await query<{ person_id: string; person_name: string; capture_file_id: string | null }>(
      world.connectionString,
      'SELECT * FROM access_record WHERE device_id = $1',
      [door.device.id],
    )
    expect(record).toMatchObject({ person_name: expect.stringMatching(/^#/), capture_file_id: null })
    expect(record!.person_id).not.toBe(person.id)
    await world.settled()
    expect(storedAt(door.device.code, person)).toEqual({})
    await back.stop()
  })
})

describe('records a terminal keeps of somebody', () => {
  const terminalPlaces = (receipt: Erasure) =>
    receipt.places.filter(({ deviceId }) => deviceId !== null).map(({ place: where, name, state }) => [where, name, state])

  test('stay when the person may no longer pass there, and name no one once the person is erased, weeks later', async () => {
    const door = await world.terminal(await world.device({ name: 'First door' }))
    const person = await world.person({ name: 'Removed Roland', photo: photos[0]! })
    const strategy = await world.strategy({ persons: [person], devices: [door.device] })
    const stays = await world.person({ name: 'Staying Stella', photo: other, permittedAt: door.device })
    await world.settled()
    for (const face of [photos[1]!, other]) await door.show(face)
    await world.settled()
    await world.call(strategyCalls.delete, { query: { id: strategy.id } })
    await world.settled()
    expect(storedAt(door.device.code, person)).toEqual({ record: 1 })
    await door.stop()

    const asked = await erase(world, [person.id])
    const waiting = await until('all but the door', async () => {
      const now = await read(world, asked)
      return now.places.every(({ state, deviceId }) => state !== 'pending' || deviceId !== null) ? now : null
    })
    expect(terminalPlaces(waiting)).toEqual([['terminalRecords', 'First door', 'pending']])
    // Offline for so long that the changes of those weeks are no longer sent one by one.
    await query(world.connectionString, 'DELETE FROM sync_change')
    const back = await world.terminal(door.device)
    expect(terminalPlaces(await complete(world, asked))).toEqual([['terminalRecords', 'First door', 'done']])
    await world.settled()
    expect(storedAt(door.device.code, person)).toEqual({})
    expect(storedAt(door.device.code, stays)).toMatchObject({ person: 1, record: 1 })
    await back.stop()
  })

  test('lose the name where the park keeps it in its own, for those are no copies to restore from', async () => {
    await policyOf(world, 'keep')
    const door = await world.terminal()
    const person = await world.person({ name: 'Doubly Kept', photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    await door.show(photos[1]!)
    await world.settled()
    const done = await complete(world, await erase(world, [person.id]))
    await world.settled()
    expect(terminalPlaces(done)).toEqual([
      ['terminal', door.device.name, 'done'],
      ['terminalRecords', door.device.name, 'done'],
    ])
    expect(storedAt(door.device.code, person)).toEqual({})
    expect((await world.call(recordCalls.find, { body: { deviceId: door.device.id } })).content).toMatchObject([
      { personName: 'Doubly Kept' },
    ])
    await policyOf(world, 'pseudonymise')
    await door.stop()
  })

  test('of a terminal that cannot report them stay unconfirmed in a receipt that is complete', async () => {
    const device = await world.device({ name: 'Old-fashioned door' })
    const wire = await startWireDevice(world.url, device)
    const reported = () => {
      const last = wire.heard.findLast((message) => message.startsWith('changed '))
      return last === undefined ? null : (JSON.parse(last.slice('changed '.length)) as ChangedMessage)
    }
    /** Return the report of a device of a former version. */
    const holds = ({ revision, audience, head, digest }: ChangedMessage, persons: number): DeviceHoldings => ({
      revision,
      audience,
      cursor: head,
      digest,
      persons,
      failed: 0,
    })
    const person = await world.person({ name: 'Old-fashioned Otto', photo: photos[0]!, permittedAt: device })
    const at = await until('the device to be told of the person', () => {
      const now = reported()
      return now !== null && now.digest !== '0'.repeat(16) ? now : null
    })
    await wire.say({ held: holds(at, 1) })
    await world.settled()

    const asked = await erase(world, [person.id])
    const without = await until('the device to be told of the erasure', () => {
      const now = reported()
      return now !== null && now.digest === '0'.repeat(16) && now.erasure != null && now.head > at.head ? now : null
    })
    await wire.say({ held: holds(without, 0) })
    const done = await complete(world, asked)
    expect(terminalPlaces(done)).toEqual([
      ['terminal', 'Old-fashioned door', 'done'],
      ['terminalRecords', 'Old-fashioned door', 'unconfirmed'],
    ])
    const bearer = (world.client.credentials as { bearer: string }).bearer
    const page = await (
      await fetch(`${world.url}${privacyCalls.file.url.replace('{id}', done.id)}`, {
        headers: { authorization: `Bearer ${bearer}`, language: 'en' },
      })
    ).text()
    expect(page).toContain('Not confirmed: the terminal cannot confirm')
  })
})

describe('records', () => {
  async function passed(site: World, name: string): Promise<{ person: MadePerson; device: string; again(): Promise<void> }> {
    const door = await site.terminal()
    const person = await site.person({ name, photo: photos[0]!, permittedAt: door.device })
    await site.settled()
    expect((await door.show(photos[1]!)).personId).toBe(person.id)
    await site.settled()
    return { person, device: door.device.id, again: () => door.stop() }
  }

  test('stay as they are, pictures too, where the park keeps them', async () => {
    await policyOf(world, 'keep')
    const { person, device, again } = await passed(world, 'Kept Keller')
    const captures = await capturesOf(person.id)
    const preview = await world.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    expect(
      preview.places
        .filter(({ kept }) => kept)
        .map((one) => one.place)
        .toSorted(),
    ).toEqual(['captures', 'records'])
    const done = await complete(world, await erase(world, [person.id]))
    expect(place(done, 'records')).toMatchObject({ state: 'kept', count: 1 })
    expect(place(done, 'captures')).toMatchObject({ state: 'kept', count: 1 })
    expect(place(done, 'photographs')).toMatchObject({ state: 'done', count: 1 })
    const { content } = await world.call(recordCalls.find, { body: { deviceId: device } })
    expect(content).toMatchObject([{ personId: person.id, personName: 'Kept Keller', captureImage: expect.stringContaining('/files/') }])
    expect(onDisk(captures).length).toBeGreaterThan(0)
    await again()
    await policyOf(world, 'pseudonymise')
  })

  test('of one person stay together under the pseudonym, and what was said about them names nobody', async () => {
    const { person, device, again } = await passed(world, 'Paired Pinter')
    const { content: before } = await world.call(recordCalls.find, { body: { deviceId: device } })
    const look = await world.person({ name: 'Somebody Else' })
    await world.call(clinicCalls.correct, {
      params: { id: before[0]!.id },
      body: { actualPersonId: look.id, setAside: [], threshold: null, note: 'It was not Paired Pinter' },
    })
    await complete(world, await erase(world, [person.id]))
    const { content: after } = await world.call(recordCalls.find, { body: { deviceId: device } })
    expect(after).toHaveLength(before.length)
    expect(new Set(after.map(({ personId }) => personId)).size).toBe(1)
    expect(after[0]!.personId).not.toBe(person.id)
    expect(await tablesNaming('Pinter')).toEqual({})
    expect((await world.ask(recordCalls.why, { params: { id: after[0]!.id } })).status).toBe(200)
    await again()
  })
})

describe('imports', () => {
  test('forget the lines that name the person and keep those of others', async () => {
    const [person, stays] = [await world.person({ name: 'Imported Imre' }), await world.person({ name: 'Imported Ida' })]
    const importId = randomUUID()
    await query(
      world.connectionString,
      `INSERT INTO person_import (id, park_id, kind, mode, group_id, state, user_id, account, operator, user_kind, created_at)
       VALUES ($1, $2, 'staff', 'both', $3, 'done', 'u', 'a', 'o', 'user', now())`,
      [importId, world.park.id, person.groupId],
    )
    for (const one of [person, stays])
      await query(
        world.connectionString,
        `INSERT INTO person_import_row (id, park_id, import_id, upload_id, outcome, finished, person_id, work_number, name)
          VALUES ($1, $2, $3, $1, 'create', true, $4, $5, $6)`,
        [randomUUID(), world.park.id, importId, one === person ? null : one.id, one.workNumber, one.name],
      )
    const preview = await world.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    expect(preview.places).toContainEqual({ place: 'imports', count: 1, kept: false })
    const done = await complete(world, await erase(world, [person.id]))
    expect(place(done, 'imports')).toMatchObject({ state: 'done', count: 1 })
    expect(await tablesNaming('Imported Imre')).toEqual({})
    expect(await query(world.connectionString, 'SELECT name FROM person_import_row WHERE import_id = $1', [importId])).toEqual([
      { name: 'Imported Ida' },
    ])
  })
})

describe('a receipt', () => {
  test('is the same for who asks again, and one for who asks twice at once', async () => {
    const person = await world.person({ name: 'Twice Asked' })
    const ask = () => world.call(privacyCalls.erase, { body: { personIds: [person.id], reason: REASON } })
    const [one, two] = await Promise.all([ask(), ask()])
    expect(one).toEqual(two)
    expect(await ask()).toEqual(one)
    expect(await world.ask(peopleCalls.read, { query: { id: person.id } })).toMatchObject({ status: 404 })
  })

  test('is given for disabled persons too, and the log says that it was asked for [AMB-040]', async () => {
    const person = await world.person({ name: 'Disabled Dora' })
    await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    expect(await world.ask(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })).toMatchObject({ code: 200224 })
    const receipt = await erase(world, [person.id])
    const { content } = await world.call(auditCalls.operations, { query: { size: 1 } })
    const entry = await world.call(auditCalls.operation, { params: { id: content[0]!.id } })
    expect(entry).toMatchObject({ url: privacyCalls.erase.url })
    expect(entry.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ entity: 'erasure', id: receipt.id, label: receipt.number })]),
    )
    expect(JSON.stringify(entry)).not.toContain('Dora')
  })

  test('is not there for ids of nobody or of another park, and then nobody is erased', async () => {
    const elsewhere = await world.addPark()
    const [mine, theirs] = [await world.person(), await elsewhere.person()]
    for (const stranger of [theirs.id, '01920000-0000-7000-8000-000000000001'])
      expect(await world.ask(privacyCalls.erase, { body: { personIds: [mine.id, stranger], reason: REASON } })).toMatchObject({
        status: 404,
      })
    expect(await world.ask(peopleCalls.read, { query: { id: mine.id } })).toMatchObject({ status: 200 })
    const receipt = await erase(elsewhere, [theirs.id])
    expect(await world.ask(privacyCalls.read, { params: { id: receipt.id } })).toMatchObject({ status: 404 })
    expect(await world.ask(privacyCalls.preview, { query: { personIds: [mine.id, theirs.id] } })).toMatchObject({ status: 404 })
    expect(await world.ask(privacyCalls.erase, { body: { personIds: [mine.id], reason: ' ' } })).toMatchObject({ status: 400 })
  })

  test('is found by its number and among those that are not complete', async () => {
    const door = await world.terminal()
    const person = await world.person({ photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    await door.stop()
    const open = await erase(world, [person.id])
    const closed = await complete(world, await erase(world, [(await world.person()).id]))
    const listed = async (filter: { number?: string; pending?: number }) =>
      (await world.call(privacyCalls.list, { query: filter })).content.map(({ id }) => id)
    expect(await listed({ number: open.number.slice(0, 6).toLowerCase() })).toEqual([open.id])
    expect(await listed({ pending: 1 })).toContain(open.id)
    expect(await listed({ pending: 1 })).not.toContain(closed.id)
    expect(await listed({ pending: 0 })).toContain(closed.id)
    expect((await listed({}))[0]).toBe(closed.id)
  })

  test('as a file is a page in the language asked for, with everything escaped', async () => {
    const person = await world.person({ name: 'Filed Fiona' })
    const { erasureIds } = await world.call(privacyCalls.erase, {
      body: { personIds: [person.id], reason: '<script>alert("x")</script> & more' },
    })
    const receipt = await complete(world, { id: erasureIds[0]! })
    const bearer = (world.client.credentials as { bearer: string }).bearer
    const file = async (language: string) =>
      fetch(`${world.url}${privacyCalls.file.url.replace('{id}', receipt.id)}`, {
        headers: { authorization: `Bearer ${bearer}`, 'accept-language': language, language },
      })
    const english = await file('en')
    expect(english.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(english.headers.get('content-disposition')).toContain(encodeURIComponent(`Erasure receipt ${receipt.number}.html`))
    const html = await english.text()
    expect(html).toContain(receipt.number)
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more')
    expect(html).not.toContain('<script')
    expect(html).not.toContain('Fiona')
    expect(html).toContain('Face templates')
    expect(await (await file('zh-CN')).text()).toContain('人脸特征')
    expect(await (await file('zh-TW')).text()).toContain('人臉特徵')
  })
})

describe('ordinary deletion', () => {
  test('leaves no photograph behind on disk, and records stay as they are [FIELD-22]', async () => {
    const door = await world.terminal()
    const person = await world.person({ name: 'Deleted Delia', photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    await door.show(photos[1]!)
    await world.settled()
    const [faces, captures] = [await filesOf(person.id), await capturesOf(person.id)]
    await world.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
    await world.server.platform.storage.sweep()
    expect(onDisk(faces)).toEqual([])
    expect(onDisk(captures).length).toBeGreaterThan(0)
    const { content } = await world.call(recordCalls.find, { body: { deviceId: door.device.id } })
    expect(content).toMatchObject([{ personName: 'Deleted Delia' }])
    expect(await query(world.connectionString, 'SELECT 1 FROM file WHERE id = ANY($1::uuid[])', [faces])).toEqual([])
    await door.stop()
  })
})
