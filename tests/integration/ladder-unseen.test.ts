/**
 * Every call of the contract, sent by a user with all permissions in the park for whom persons of the watch list do not exist: a thing of
 * one of these persons is answered like an unknown id, and no answer names them.
 * @module-tag extended
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { topics } from '@gatehouse/contract/realtime'
import { listen } from '@gatehouse/dev-env/live'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { ALL_CALLS, named } from '../support/all-calls.ts'
import { drawnFace, createFixtures, type Fixtures } from '../support/fixtures.ts'
import { exportedRecords, rowsNaming, tellingAnswers, revealedByIds, wordsAnswered, type HiddenWalk } from '../support/hidden-things.ts'
import { nameOf, namingFieldsOf } from '../support/cases/all.ts'
import { watch, type Watched } from '../support/watched.ts'

/** Calls of users: devices see all persons, and calls without a token see none. */
const walked = ALL_CALLS.filter(({ permission }) => !['public', 'basic', 'device'].includes(permission))
const reading = walked.filter((call) => !isWrite(call))
const naming = walked.filter((call) => namingFieldsOf(call).length > 0)

let world: World
let things: Fixtures
let watched: Watched
/** A user for whom the watch list does not exist, and one with the same codes for whom it does. */
let limited: Client
let sighted: Client
let walk: HiddenWalk

beforeAll(async () => {
  world = await startWorld()
  things = await createFixtures(world, world)
  watched = await watch(world, things)
  await foundAtDoor()
  limited = await world.session({ roleSign: 'other' })
  sighted = await world.session({ roleSign: 'operator' })
  const words = [watched.name, watched.workNumber, 'Sebastian Moran', 'Napoleons', 'Adelbert Gruner', ...Object.values(watched.ids)]
  walk = { world, things, words, limited, sighted, triedIn }
}, 120_000)
afterAll(() => world?.stop())

/** Record a passage of a stranger that is visible to all users, and find the person on its picture. */
async function foundAtDoor(): Promise<void> {
  const { platform, contexts } = world.server
  const [scope, { id: deviceId }] = [{ parkId: things.site.park.id }, things.device]
  const record = {
    seq: 1,
    occurredAt: world.clock.now(),
    personId: null,
    personName: '',
    result: 0,
    failReason: 904,
    verifyType: 1,
    direction: 1,
  }
  const sent = { ...record, score: null, checks: '[]', revision: 'none', hasPicture: true }
  await contexts.records.ingest({ deviceId, ...scope }, { epoch: 'found', oldestSeq: 1, sentAt: world.clock.now(), records: [sent] })
  await contexts.records.records.attachPicture(scope, { deviceId }, recordId(deviceId, 'found', 1), await drawnFace())
  await platform.events.settled()
  const { content } = await things.site.call(recordCalls.find, { body: { watchList: true } })
  expect(content).toMatchObject([{ personId: null, watchList: { personId: watched.id } }])
}

describe('without any id of theirs', () => {
  const revealed = new Set<string>()

  test.each(named(reading))('%s names nobody of the watch list', async (_, call) => {
    const answered = await wordsAnswered(walk, call)
    expect(answered.limited).toEqual([])
    if (answered.sighted.length > 0) revealed.add(nameOf(call))
  })

  test('while whoever sees the watch list is told of them', () => {
    expect([...revealed].toSorted()).toMatchInlineSnapshot(`
      [
        "GET /bizService/uface/v1/access/correction/list",
        "GET /bizService/uface/v1/access/writtenRule/list",
        "GET /bizService/uface/v1/card/list",
        "GET /bizService/uface/v1/face/person/{id}",
        "GET /bizService/uface/v1/log/data",
        "GET /bizService/uface/v1/log/read/data",
        "GET /bizService/uface/v1/person/enrolment/link/list",
        "GET /bizService/uface/v1/person/group/tree",
        "GET /bizService/uface/v1/person/special/group/tree",
        "GET /bizService/uface/v1/person/special/group/treenoblacklevel",
        "GET /bizService/uface/v1/person/special/list",
        "GET /bizService/uface/v1/privacy/erasure/list",
        "GET /bizService/uface/v1/relation/config/list",
        "GET /bizService/uface/v1/system/screen/passages",
        "GET /bizService/uface/v1/tongda/person/config/audit/list",
        "POST /bizService/uface/v1/access/record/findAccessRecordList",
        "POST /bizService/uface/v1/defence/alert/list",
        "POST /bizService/uface/v1/person/search/oneToN",
      ]
    `)
  })
})

/** Fields whose name says which kind of thing their ids are, and that it belongs to no person. */
const OF_OTHERS = /^(device|deviceGroup|accessGroup|timeRule|strategy|organisation|park|role|version|user|restriction|writtenRule)Ids?$/
const OF_PERSONS = /^(person|actualPerson)Ids?$/
const OF_PERSON_GROUPS = /^personGroupIds?$/
/** Return the ids a field is tried with: those of the kind its name says, or all that belong to the person. */
function triedIn(field: string): [what: string, id: string][] {
  if (OF_OTHERS.test(field) || OF_PERSONS.test(field)) return [['person', watched.id]]
  const all = Object.entries(watched.ids)
  return OF_PERSON_GROUPS.test(field) ? all.filter(([what]) => what === 'person' || what === 'group') : all
}

test('whoever sees the watch list gets what is theirs, by calls that read', async () => {
  const revealed = await revealedByIds(
    walk,
    reading.filter((call) => naming.includes(call)),
  )
  expect(revealed).toMatchInlineSnapshot(`
    [
      "DELETE /bizService/uface/v1/person/base/confirm ids: person",
      "GET /bizService/uface/v1/access/correction/list personId: person",
      "GET /bizService/uface/v1/access/record/findAccessListByPersonId personId: person",
      "GET /bizService/uface/v1/access/record/findAccessParkListByPersonId personId: person",
      "GET /bizService/uface/v1/access/record/findDeviceDataByPerson personId: person",
      "GET /bizService/uface/v1/access/record/{id} id: record",
      "GET /bizService/uface/v1/access/record/{id}/match id: record",
      "GET /bizService/uface/v1/access/record/{id}/why id: record",
      "GET /bizService/uface/v1/access/secondPhotograph/list groupId: group",
      "GET /bizService/uface/v1/access/secondPhotograph/{id} id: person",
      "GET /bizService/uface/v1/card/list personId: person",
      "GET /bizService/uface/v1/card/palm/list personId: person",
      "GET /bizService/uface/v1/development/issued/person personId: person",
      "GET /bizService/uface/v1/face/person/{id} id: person",
      "GET /bizService/uface/v1/log/data/{id} id: entry",
      "GET /bizService/uface/v1/person/base id: person",
      "GET /bizService/uface/v1/person/base/list groupId: group",
      "GET /bizService/uface/v1/person/base/standing id: person",
      "GET /bizService/uface/v1/person/contact id: contact",
      "GET /bizService/uface/v1/person/contact/list personId: person",
      "GET /bizService/uface/v1/person/relate/sync/status/person/device personId: person",
      "GET /bizService/uface/v1/person/special id: person",
      "GET /bizService/uface/v1/person/special/list groupId: group",
      "GET /bizService/uface/v1/person/sync/status/person/device personId: person",
      "GET /bizService/uface/v1/privacy/erasure/preview personIds: person",
      "GET /bizService/uface/v1/privacy/erasure/{id} id: erasure",
      "GET /bizService/uface/v1/privacy/erasure/{id}/file id: erasure",
      "GET /bizService/uface/v1/privacy/person/{id}/consent id: person",
      "POST /bizService/uface/v1/access/person/move/effect groupId: group",
      "POST /bizService/uface/v1/access/person/move/effect ids: person",
      "POST /bizService/uface/v1/access/person/move/effect/persons groupId: group",
      "POST /bizService/uface/v1/access/person/move/effect/persons ids: person",
      "POST /bizService/uface/v1/access/person/permit/effect groupId: group",
      "POST /bizService/uface/v1/access/person/permit/effect personIds: person",
      "POST /bizService/uface/v1/access/personGroup/effect id: group",
      "POST /bizService/uface/v1/access/personGroup/effect parentId: group",
      "POST /bizService/uface/v1/access/personGroup/effect/persons id: group",
      "POST /bizService/uface/v1/access/personGroup/effect/persons parentId: group",
      "POST /bizService/uface/v1/access/question/devices personGroupIds: group",
      "POST /bizService/uface/v1/access/record/checkPin personId: person",
      "POST /bizService/uface/v1/access/record/findAccessRecordList personId: person",
      "POST /bizService/uface/v1/access/strategy/effect personGroupIds: group",
      "POST /bizService/uface/v1/access/strategy/effect/persons personGroupIds: group",
      "POST /bizService/uface/v1/access/writtenRule/standing personGroupIds: group",
      "POST /bizService/uface/v1/access/writtenRule/standing personIds: person",
      "POST /bizService/uface/v1/person/base/list groupId: group",
      "POST /bizService/uface/v1/surveillance/replay personGroupIds: group",
    ]
  `)
})

describe('with an id of the watch list', () => {
  let before: Map<string, string>
  beforeAll(async () => {
    await world.settled()
    before = await rowsNaming(world, Object.values(watched.ids))
  })

  test.each(named(naming))('%s answers as with one nobody has', async (_, call) => {
    expect(await tellingAnswers(walk, call)).toEqual([])
  })

  test('and nothing of it has changed', async () => {
    await world.settled()
    expect(await rowsNaming(world, Object.values(watched.ids))).toEqual(before)
  })
})

describe('of look-alikes', () => {
  const similarTo = async ({ call }: Client) =>
    ((await call(faceCalls.cache, { body: {}, file: await drawnFace() })).similar ?? []).map(({ personId }) => personId)
  const foundBy = async ({ call }: Client, kinds?: ('staff' | 'customer' | 'special')[]) => {
    const { faceId } = await call(faceCalls.cache, { body: {}, file: await drawnFace() })
    const { hits, searched } = await call(searchCalls.oneToN, { body: { faceId, ...(kinds && { kinds }) } })
    return { ids: hits.map(({ personId }) => personId), searched }
  }

  test('a photograph of somebody on the watch list is like nobody, to somebody without the permission for persons too', async () => {
    expect(await similarTo(sighted)).toContain(watched.id)
    expect(await similarTo(limited)).not.toContain(watched.id)
    const screen: Client = await world.session({ roleSign: 'other', permissions: ['screen'] })
    expect(await similarTo(screen)).not.toContain(watched.id)
  })

  test('others take the place of whoever is left out', async () => {
    for (let twin = 0; twin < 3; twin++) await world.person({ photo: await drawnFace() })
    const found = await similarTo(limited)
    expect(found).toHaveLength(3)
    expect(found).not.toContain(watched.id)
  })

  test('a search among all finds them no more than one among the watch list', async () => {
    expect((await foundBy(sighted)).ids).toContain(watched.id)
    expect((await foundBy(limited)).ids).not.toContain(watched.id)
    expect(await foundBy(sighted, ['special'])).toEqual({ ids: [watched.id], searched: 1 })
    expect(await foundBy(limited, ['special'])).toEqual({ ids: [], searched: 0 })
  })
})

describe('the operation log', () => {
  const entriesOf = async ({ call }: Client, subject: string) =>
    (await call(auditCalls.operations, { query: { subject, size: 100 } })).content.map(({ subjects }) => subjects.map(({ id }) => id))

  test('is not searched by their names', async () => {
    expect((await entriesOf(sighted, watched.name)).length).toBeGreaterThan(0)
    expect(await entriesOf(limited, watched.name)).toEqual([])
  })

  test('tells of a change of several without them', async () => {
    const { id, name } = await world.person({ name: 'Irene Adler' })
    await sighted.call(peopleCalls.status, { body: { ids: [id, watched.id], status: 0 } })
    await sighted.call(peopleCalls.status, { body: { ids: [id, watched.id], status: 1 } })
    expect((await entriesOf(sighted, name)).filter((ids) => ids.includes(watched.id))).toHaveLength(2)
    expect((await entriesOf(limited, name)).filter((ids) => ids.length === 1)).toHaveLength(3)
    const { content } = await limited.call(auditCalls.operations, { query: { subject: name } })
    for (const { id: entry, subjectCount } of content) {
      expect(subjectCount).toBe(1)
      const { changes, subjectCount: changed } = await limited.call(auditCalls.operation, { params: { id: entry } })
      expect([changes.map((change) => change.id), changed]).toEqual([[id], 1])
    }
  })
})

test('their passages are in no file that is made for somebody else', async () => {
  expect(await exportedRecords(sighted)).toContain(watched.name)
  const file = await exportedRecords(limited)
  expect(file).toContain(things.person.name)
  expect(file).not.toContain(watched.name)
})

test('their passages come to no live screen of somebody else', async () => {
  const screens = await Promise.all(
    [sighted, limited].map(({ url, credentials }) =>
      listen({ url, bearer: (credentials as { bearer: string }).bearer, areaCode: things.site.park.areaCode }, topics.accessRecord),
    ),
  )
  const [all, some] = screens as [(typeof screens)[number], (typeof screens)[number]]
  const pass = async (seq: number, { id, name }: { id: string; name: string }) =>
    world.server.contexts.records.ingest(
      { deviceId: things.device.id, parkId: things.site.park.id },
      {
        epoch: 'live',
        oldestSeq: 1,
        sentAt: world.clock.now(),
        records: [
          {
            seq,
            occurredAt: world.clock.now(),
            personId: id,
            personName: name,
            result: 1,
            failReason: 0,
            verifyType: 1,
            direction: 1,
            score: 90,
            checks: '[]',
            revision: 'none',
            hasPicture: false,
          },
        ],
      },
    )
  await pass(1, watched)
  await all.row('the watched person', ({ personId }) => personId === watched.id)
  await pass(2, things.person)
  await some.row('somebody else', ({ personId }) => personId === things.person.id)
  expect(some.rows.map(({ personId }) => personId)).toEqual([things.person.id])
  await Promise.all(screens.map((screen) => screen.stop()))
})
