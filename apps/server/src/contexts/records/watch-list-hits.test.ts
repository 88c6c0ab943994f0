/** A person of the watch list at a door: found by the face on the picture of a record, and shown only to users who may see that list. */
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { encodeChecks } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { topics } from '@gatehouse/contract/realtime'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { deleteNotesUnscoped } from './partitions-data.ts'
import { passage, sentBy } from './testing/records.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const REFUSED = { result: accessResult.rejected, failReason: failReason.notRegistered, score: null, hasPicture: true } as const
const STRANGER = encodeChecks([{ code: 'face', ok: false, score: 31, threshold: 73, distance: null }])

let world: World
/** Pictures of the watched person on file and at the door, and of two others at the door. */
let onFile: Buffer
let atDoor: Buffer
let another: Buffer
let stranger: Buffer
beforeAll(async () => {
  world = await startWorld()
  const { photographs } = world
  const isReal = photographs.kind === 'real'
  if (!isReal) console.log('The watch list is tried with drawn people: the photographs of real ones are not there.')
  const [watched, other] = isReal
    ? ['colin_powell', 'hu_jintao'].map((identity) => photographs.person(identity))
    : photographs.people.slice(0, 2)
  ;[onFile, atDoor, another, stranger] = await Promise.all([watched!.photo(1), watched!.photo(2), watched!.photo(3), other!.photo(1)])
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records
const flat = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
    .webp()
    .toBuffer()
const settled = () => world.server.platform.events.settled()
const hitsOf = (park: Site) =>
  query<{ record: string; person: string; score: number }>(
    world.connectionString,
    'SELECT record_id AS record, person_id AS person, score FROM watch_list_hit WHERE park_id = $1 ORDER BY record_id',
    [park.park.id],
  )
const listening = ({ url, credentials }: Client, park: Site, topic: typeof topics.watchListHits | typeof topics.accessRecord) =>
  listen({ url, bearer: (credentials as { bearer: string }).bearer, areaCode: park.park.areaCode }, topic)
const list = ({ call }: Pick<Client, 'call'>, body: object = {}) => call(recordCalls.find, { body })
const read = ({ call }: Pick<Client, 'call'>, id: string) => call(recordCalls.read, { params: { id } })
const why = ({ call }: Pick<Client, 'call'>, id: string) => call(recordCalls.why, { params: { id } })

/** Create a park with one person on the watch list and a door, and users who may and may not see that list. */
async function place({ photo = onFile }: { photo?: Buffer | null } = {}) {
  const park = await world.addPark()
  const { id: groupId } = await park.call(specialCalls.createGroup, { body: { name: 'Burglars' } })
  const watched = await park.person({
    name: 'James Moriarty',
    kind: 'special',
    groupId,
    remark: 'Stole a crown',
    instruction: 'Keep the door shut, call the yard',
    ...(photo !== null && { photo }),
  })
  const door = await park.device()
  const [sighted, limited] = (await Promise.all(
    ['parkAdmin', 'other'].map((roleSign) => world.session({ park: park.park, roleSign })),
  )) as [Client, Client]
  await settled()
  let seq = 0
  return {
    park,
    groupId,
    watched,
    door,
    sighted,
    limited,
    /** Send a passage with this picture and process it completely. @returns the id of its record */
    async stands(picture: Buffer | null, fields: Partial<RecordObject> = {}): Promise<string> {
      const record = passage(++seq, { occurredAt: Date.now(), checks: STRANGER, ...REFUSED, ...fields })
      const id = recordId(door.id, 'boot-1', seq)
      await area().ingest({ deviceId: door.id, parkId: park.park.id }, sentBy([record], { sentAt: Date.now() }))
      if (picture !== null) await area().records.attachPicture({ parkId: park.park.id }, { deviceId: door.id }, id, picture)
      await settled()
      return id
    },
  }
}

describe('somebody of the watch list at a door', () => {
  test('is a stranger without a name to the terminal, and found by the server', async () => {
    const { park, watched, door, sighted, limited } = await place()
    const [live, records] = await Promise.all([
      listening(sighted, park, topics.watchListHits),
      listening(limited, park, topics.accessRecord),
    ])
    const terminal = await world.terminal(door)
    await world.settled()
    const verdict = await terminal.show(atDoor)
    expect(verdict).toMatchObject({ verdict: 'rejected', failReason: failReason.notRegistered, personId: null, personName: '' })
    await world.settled()

    const id = verdict.recordId!
    const received = await live.row('the hit', (row) => row.id === id)
    expect(received).toMatchObject({ personId: null, personName: '', failReason: failReason.notRegistered, deviceName: door.name })
    expect(received.captureImage).not.toBe('')
    const { watchList } = await read(sighted, id)
    expect(watchList).toEqual({
      personId: watched.id,
      personName: 'James Moriarty',
      groupName: 'Burglars',
      score: expect.any(Number),
      registeredImage: expect.stringMatching(/^\/files\//),
      reason: 'Stole a crown',
      instruction: 'Keep the door shut, call the yard',
    })
    expect(received.watchList).toEqual({ ...watchList, registeredImage: expect.any(String) })
    const { watchList: threshold } = await world.server.contexts.faces.service.thresholdsOf({ parkId: park.park.id })
    expect(watchList!.score).toBeGreaterThanOrEqual(threshold)
    expect((await fetch(world.url + watchList!.registeredImage)).status).toBe(200)
    expect((await list(sighted)).content).toEqual([
      expect.objectContaining({ id, watchList: expect.objectContaining({ personId: watched.id }) }),
    ])

    // The record and its picture arrived: there was no third event.
    const other = await terminal.show(stranger)
    await records.row('the stranger', (row) => row.id === other.recordId && row.captureImage !== '')
    expect(records.rows.filter((row) => row.id === id).length).toBeLessThanOrEqual(2)
    expect(records.rows.every((row) => !('watchList' in row))).toBe(true)
    expect(live.rows.map((row) => row.id)).toEqual([id])
    await Promise.all([live.stop(), records.stop(), terminal.stop()])
  })

  test('is to everybody else a refusal like any', async () => {
    const { park, sighted, limited, stands } = await place()
    const occurredAt = Date.now() - MINUTE
    const [found, ordinary] = [await stands(atDoor, { occurredAt }), await stands(stranger, { occurredAt })]
    expect(await hitsOf(park)).toMatchObject([{ record: found }])
    await expect(listening(limited, park, topics.watchListHits)).rejects.toThrow('refuses')

    const plain = { id: '', captureImage: '', captureThumbnail: '', receivedAt: 0, clockOffsetMs: 0 }
    const [one, other] = await Promise.all([read(limited, found), read(limited, ordinary)])
    expect({ ...one, ...plain }).toEqual({ ...other, ...plain })
    const [whyOne, whyOther] = await Promise.all([why(limited, found), why(limited, ordinary)])
    expect({ ...whyOne, clockOffsetMs: 0 }).toEqual({ ...whyOther, clockOffsetMs: 0 })
    expect(whyOne.remedy.length).toBeGreaterThan(0)
    const listed = await list(limited)
    expect(listed.total).toBe(2)
    for (const row of listed.content) expect(row).not.toHaveProperty('watchList')
    expect(await list(limited, { watchList: true })).toMatchObject({ total: 0, content: [] })
    expect(await list(limited, { stranger: true })).toMatchObject({ total: 2 })
    expect(await limited.call(statisticsCalls.today, {})).toEqual(await sighted.call(statisticsCalls.today, {}))
  })

  test('is not told how to get in, others are', async () => {
    const { sighted, stands } = await place()
    expect((await why(sighted, await stands(atDoor))).remedy).toEqual([])
    expect((await why(sighted, await stands(stranger))).remedy.map(({ code }) => code)).toContain('registerPerson')
  })

  test('is found among all records by the filter, and among those of the person', async () => {
    const { watched, limited, sighted, stands } = await place()
    const now = Date.now()
    const ids = [
      await stands(atDoor, { occurredAt: now - 3 * MINUTE }),
      await stands(stranger, { occurredAt: now - 2 * MINUTE }),
      await stands(another, { occurredAt: now - MINUTE }),
    ]
    const own = await stands(null, { occurredAt: now, personId: watched.id, personName: watched.name, hasPicture: false })
    const found = async (body: object) => (await list(sighted, body)).content.map(({ id }) => id)
    expect(await found({ watchList: true })).toEqual([ids[2], ids[0]])
    expect(await found({ watchList: true, endTime: now - 2 * MINUTE })).toEqual([ids[0]])
    expect(await found({ watchList: true, result: accessResult.allowed })).toEqual([])
    expect(await found({ personId: watched.id })).toEqual([own, ids[2], ids[0]])
    const page = await list(sighted, { personId: watched.id, size: 2 })
    expect(page.total).toBe(3)
    expect((await list(sighted, { personId: watched.id, size: 2, after: page.next })).content.map(({ id }) => id)).toEqual([ids[0]])
    const latest = await sighted.call(recordCalls.ofPerson, { query: { personId: watched.id } })
    expect(latest.content.map(({ id }) => id)).toEqual([own, ids[2], ids[0]])
    expect(await list(limited, { personId: watched.id })).toMatchObject({ total: 0, content: [] })
    expect((await limited.ask(recordCalls.ofPerson, { query: { personId: watched.id } })).status).toBe(404)
    expect(await limited.ask(recordCalls.find, { body: { watchList: false } as never })).toMatchObject({ status: 400 })
  })

  test('that a terminal kept for an hour is told all the same, with the time it was', async () => {
    const { park, sighted, watched, stands } = await place()
    const live = await listening(sighted, park, topics.watchListHits)
    const occurredAt = Date.now() - 60 * MINUTE
    const id = await stands(atDoor, { occurredAt })
    expect(await live.row('the hit', (row) => row.id === id)).toMatchObject({ time: occurredAt, watchList: { personId: watched.id } })
    await live.stop()
  })
})

describe('whom a picture shows', () => {
  test('is the one who comes nearest, once for a record', async () => {
    const { park, groupId, sighted, stands } = await place()
    const twin = await park.person({ name: 'Nearer', kind: 'special', groupId, photo: another })
    await settled()
    const id = await stands(another)
    expect(await hitsOf(park)).toMatchObject([{ record: id, person: twin.id }])
    await area().watchListHits.look({ parkId: park.park.id }, id, 'prompt')
    expect(await hitsOf(park)).toHaveLength(1)
    expect((await read(sighted, id)).watchList).toMatchObject({ personName: 'Nearer' })
  })

  test('is asked of whoever shows a card, but not where the terminal knew the face', async () => {
    const { park, door, stands } = await place()
    const staff = await park.person({ name: 'Watson', permittedAt: door })
    const passed = { personId: staff.id, personName: 'Watson', result: accessResult.allowed, failReason: null }
    const byCard = await stands(atDoor, { ...passed, verifyType: verifyType.card, checks: encodeChecks([{ code: 'card', ok: true }]) })
    const known = [{ code: 'face', ok: true, score: 91, threshold: 73, distance: 0.3 }] as const
    await stands(atDoor, { ...passed, score: 91, checks: encodeChecks(known) })
    const doubted = await stands(atDoor, { ...passed, checks: encodeChecks([...known, { code: 'samePerson', ok: false }]) })
    expect((await hitsOf(park)).map(({ record }) => record)).toEqual([byCard, doubted].toSorted())
  })

  test('is found where they are in the register as somebody else too, who is let in by the face', async () => {
    const { park, watched, door, sighted, limited, stands } = await place()
    const left = await park.person({ name: 'Professor', permittedAt: door, photo: another })
    await settled()
    const known = [{ code: 'face', ok: true, score: 91, threshold: 73, distance: 0.3 }] as const
    const passed = { personId: left.id, personName: 'Professor', result: accessResult.allowed, failReason: null, score: 91 }
    const id = await stands(atDoor, { ...passed, checks: encodeChecks(known) })
    expect(await hitsOf(park)).toEqual([{ record: id, person: watched.id, score: expect.any(Number) }])
    expect(await read(sighted, id)).toMatchObject({
      result: accessResult.allowed,
      personName: 'Professor',
      watchList: { personId: watched.id },
    })
    expect(await read(limited, id)).not.toHaveProperty('watchList')
  })

  test('is nobody whose photographs are not of the list, who is disabled, or of another park', async () => {
    const { park, watched, stands } = await place()
    await (await place({ photo: stranger })).stands(atDoor)
    await park.person({ name: 'Hu', photo: stranger })
    await settled()
    await stands(stranger)
    await park.call(specialCalls.status, { body: { ids: [watched.id], status: 0 } })
    await stands(atDoor)
    expect(await query(world.connectionString, 'SELECT 1 FROM watch_list_hit WHERE person_id = $1', [watched.id])).toEqual([])
  })

  test('costs a park nothing whose watch list has no photograph', async () => {
    const { stands } = await place({ photo: null })
    const looking = vi.spyOn(world.server.contexts.faces.service, 'findAmong')
    await stands(atDoor)
    expect(looking).not.toHaveBeenCalled()
    looking.mockRestore()
  })

  test('is not known of a picture without a face, or one that cannot be read; those behind it are looked at', async () => {
    const { park, watched, stands } = await place()
    await park.call(specialCalls.status, { body: { ids: [watched.id], status: 0 } })
    const damaged = await stands(atDoor)
    const [row] = await query<{ file: string }>(world.connectionString, 'SELECT capture_file_id AS file FROM access_record WHERE id = $1', [
      damaged,
    ])
    for (const name of globSync(`**/*${row!.file}*`, { cwd: join(world.dataDir, 'files') })) rmSync(join(world.dataDir, 'files', name))
    await park.call(specialCalls.status, { body: { ids: [watched.id], status: 1 } })
    await area().watchListHits.look({ parkId: park.park.id }, damaged, 'prompt')
    await stands(await flat())
    await stands(null)
    const last = await stands(atDoor)
    expect((await hitsOf(park)).map(({ record }) => record)).toEqual([last])
    expect(await query(world.connectionString, `SELECT reason FROM event_failure WHERE consumer LIKE 'access.watchListHits%'`)).toEqual([])
  })

  test('is told to the park whose list it is, not to the one whose person passed there', async () => {
    const { park, sighted, stands } = await place()
    const home = await world.addPark()
    const person = await home.person({ name: 'Ann' })
    const { verificationCode: authorisationCode } = await park.call(areaCalls.verificationCode, { query: {} })
    const { id: relation } = await home.call(relationCalls.apply, { body: { authorisationCode, personIds: [person.id] } })
    await park.call(relationCalls.change, { body: { id: relation, status: 'agreed' } })
    await settled()
    const passed = { personId: person.id, personName: 'Ann', result: accessResult.allowed, failReason: null, verifyType: verifyType.card }
    const id = await stands(atDoor, { ...passed, checks: encodeChecks([{ code: 'card', ok: true }]) })
    expect(await read(sighted, id)).toHaveProperty('watchList')
    const { content } = await home.call(recordCalls.linkedOfPerson, { query: { personId: person.id } })
    expect(content).toMatchObject([{ id, parkId: park.park.id }])
    expect(content[0]).not.toHaveProperty('watchList')
  })

  test('is found out after a restart where the server stopped before', async () => {
    const { park, stands } = await place()
    const id = await stands(atDoor)
    await world.interrupted(async () => {
      // As if the server had stopped between the picture and the search.
      await query(world.connectionString, 'DELETE FROM watch_list_hit WHERE park_id = $1', [park.park.id])
      await query(
        world.connectionString,
        `UPDATE event_consumer SET seq = (SELECT min(seq) - 1 FROM outbox WHERE park_id = $1) WHERE name = 'access.watchListHits.prompt'`,
        [park.park.id],
      )
    })
    await settled()
    expect((await hitsOf(park)).map(({ record }) => record)).toEqual([id])
  })
})

describe('what was found', () => {
  test('goes with the record, however that goes', async () => {
    const { park, door, stands } = await place()
    const parkId = park.park.id
    const dropped = await stands(atDoor)
    await park.call(recordCalls.delete, { params: { id: dropped } })
    expect(await hitsOf(park)).toEqual([])
    await stands(atDoor)
    expect(await hitsOf(park)).toHaveLength(1)
    await area().removeRecords({ parkId }, { personIds: [], deviceIds: [door.id] }, async () => {})
    expect(await hitsOf(park)).toEqual([])
  })

  test('goes with the month of the record, and with the park', async () => {
    const { park, stands } = await place()
    await stands(atDoor, { occurredAt: Date.now() - 100 * DAY })
    const recent = await stands(atDoor)
    await deleteNotesUnscoped(world.server.platform.db, Date.now() - 50 * DAY)
    expect((await hitsOf(park)).map(({ record }) => record)).toEqual([recent])
    await world.server.platform.transaction((tx) => area().erasePark!(tx, { parkId: park.park.id }))
    expect(await hitsOf(park)).toEqual([])
  })

  test.each([
    ['deleted', (park: Site, id: string) => park.call(specialCalls.deleteBatch, { query: { ids: [id] } })],
    ['erased', (park: Site, id: string) => park.call(privacyCalls.erase, { body: { personIds: [id], reason: 'Asked for' } })],
  ])('goes with the person who is %s; the record stays what it was', async (_, remove) => {
    const { park, watched, sighted, stands } = await place()
    const id = await stands(atDoor)
    await remove(park, watched.id)
    await settled()
    expect(await hitsOf(park)).toEqual([])
    const record = await read(sighted, id)
    expect(record).not.toHaveProperty('watchList')
    expect(record).toMatchObject({ personId: null, failReason: failReason.notRegistered })
    expect(record.captureImage).not.toBe('')
  })

  test('is not shown while the person is not on the list', async () => {
    const { park, groupId, watched, sighted, stands } = await place()
    const id = await stands(atDoor)
    const { id: staff } = await park.personGroup()
    const become = async (kind: 'staff' | 'special', group: string) => {
      const { version, facePhotos } = await park.call(peopleCalls.read, { query: { id: watched.id } })
      await park.call(peopleCalls.change, {
        body: { id: watched.id, version, name: watched.name, groupId: group, kind, facePhotos, faceConsent: true },
      })
    }
    await become('staff', staff)
    expect(await read(sighted, id)).not.toHaveProperty('watchList')
    expect(await list(sighted, { watchList: true })).toMatchObject({ total: 0 })
    expect(await list(sighted, { personId: watched.id })).toMatchObject({ total: 0 })
    expect((await why(sighted, id)).remedy).not.toEqual([])
    await become('special', groupId)
    expect((await list(sighted, { watchList: true })).content).toMatchObject([{ id, watchList: { personId: watched.id } }])
  })

  test('is read under a masked name by whom names are masked for, and each reading is noted', async () => {
    const { park, watched, stands } = await place()
    const id = await stands(atDoor)
    const masked = await world.session({ park: park.park, roleSign: 'parkAdmin', masking: true })
    const { content } = await list(masked)
    expect(content[0]!.watchList).toMatchObject({ personId: watched.id, personName: expect.not.stringContaining('Moriarty') })
    const live = await listening(masked, park, topics.watchListHits)
    const second = await stands(another)
    expect((await live.row('the hit', (row) => row.id === second)).watchList!.personName).toBe(content[0]!.watchList!.personName)
    await live.stop()

    await read(masked, id)
    await world.server.platform.audit.settled()
    const { content: reads } = await park.call(auditCalls.reads, { query: { subject: watched.id, size: 10 } })
    expect(reads.map(({ url }) => url.replace(/.*\/record\//, ''))).toEqual(['{id}', 'findAccessRecordList'])
  })
})
