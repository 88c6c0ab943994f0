/**
 * What remains of a deleted person of the watch list stays hidden from users for whom the watch list does not exist.
 * @module-tag extended
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { issuingCalls } from '@gatehouse/contract/cards/issuing'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../support/embedded-postgres.ts'
import { drawnFace, recordAt } from '../support/fixtures.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const NAME = 'Zacharias Moriarty'
const CONTACT = 'Sebastian Moran'
const COLLEAGUE = 'Irene Adler'

const setPolicy = (park: Site, recordsOnErasure: 'keep' | 'pseudonymise') =>
  park.call(privacyCalls.changePolicy, {
    body: { consentRequired: false, consentText: {}, recordsOnErasure, retention: { staff: null, customer: null, special: null } },
  })
const erase = (park: Site, id: string) => park.call(privacyCalls.erase, { body: { personIds: [id], reason: 'Asked for' } })

/** Ways to delete a person of the watch list. */
const WAYS: readonly [string, (park: Site, id: string) => Promise<unknown>][] = [
  ['deleted', (park, id) => park.call(specialCalls.deleteBatch, { query: { ids: [id] } })],
  [
    'deleted after a contact of theirs',
    async (park, id) => {
      const [contact] = await park.call(contactCalls.list, { query: { personId: id } })
      await park.call(contactCalls.delete, { query: { id: contact!.id } })
      await park.call(specialCalls.deleteBatch, { query: { ids: [id] } })
    },
  ],
  ['erased, their records under a pseudonym', (park, id) => erase(park, id)],
  [
    'erased, their records kept',
    async (park, id) => {
      await setPolicy(park, 'keep')
      await erase(park, id)
    },
  ],
]

/** Return what a user sees of the park. @param endTime the last time of reads: later ones are those of the test itself */
async function totalsOf({ call }: Client, endTime: number) {
  const [records, corrections, operations, reads] = await Promise.all([
    call(recordCalls.find, { body: {} }),
    call(clinicCalls.list, { query: {} }),
    call(auditCalls.operations, { query: { size: 100 } }),
    call(auditCalls.reads, { query: { size: 100, endTime } }),
  ])
  const details = await Promise.all(operations.content.map(({ id }) => call(auditCalls.operation, { params: { id } })))
  return { records, corrections, operations, details, reads }
}

describe.each(WAYS)('once they are %s', (_, go) => {
  let park: Site
  let some: Client
  let all: Client
  let watched: { id: string; contact: string; record: string }
  let readUntil: number
  let before: Awaited<ReturnType<typeof totalsOf>>
  beforeAll(async () => {
    park = await world.addPark()
    await setPolicy(park, 'pseudonymise')
    const device = await park.device()
    const door = await park.device()
    const colleague = await park.person({ name: COLLEAGUE })
    const { id: area } = await park.call(restrictionCalls.create, {
      body: { name: 'Vault', limitType: 'antiSneakBack', deviceIds: [door.id], antiSneakBack: true, flowLimit: false },
    })
    some = await world.session({ park: park.park, roleSign: 'other' })
    all = await world.session({ park: park.park, roleSign: 'operator' })
    await recordAt(world, { site: park, device }, colleague, { epoch: 'colleague', revision: 'none' })

    const { id: group } = await park.call(specialCalls.createGroup, { body: { name: 'Napoleons' } })
    const { id } = await park.person({ name: NAME, workNumber: 'WATCHED-7' })
    const { faceId: photo } = await park.call(faceCalls.cache, { body: {}, file: await drawnFace() })
    const { id: contact } = await park.call(contactCalls.create, {
      body: { personId: id, name: CONTACT, phone: '13800138111', relation: 1, gender: 1, photo },
    })
    await park.call(issuingCalls.issue, {
      body: { personId: id, type: 0, number: '77001', effectiveDate: '2026-01-01', expiryDate: '2099-12-31' },
    })
    await park.call(enrolmentCalls.createLink, { body: { personId: id } })
    await park.call(privacyCalls.noteConsent, { params: { id }, body: { state: 'given' } })
    const record = await recordAt(world, { site: park, device }, { id, name: NAME }, { epoch: 'watched', revision: 'none' })
    await park.call(clinicCalls.correct, { params: { id: record }, body: { actualPersonId: colleague.id } })
    await park.call(peopleCalls.change, { body: { id, name: NAME, workNumber: 'WATCHED-7', groupId: group, kind: 'special' } })
    await all.call(specialCalls.read, { query: { id } })
    watched = { id, contact, record }
    await world.server.platform.audit.settled()
    readUntil = (await all.call(auditCalls.reads, { query: {} })).content[0]!.time
    // Both at once: the entry concerns the colleague too, and names the other person among its values.
    await park.call(restrictionCalls.setStatus, { body: { restrictionId: area, personIds: [id, colleague.id], status: 1 } })
    await park.call(peopleCalls.status, { body: { ids: [id, colleague.id], status: 0 } })
    await park.call(peopleCalls.status, { body: { ids: [id, colleague.id], status: 1 } })
    await world.settled()
    await world.server.platform.audit.settled()
    before = await totalsOf(some, readUntil)
    await go(park, id)
    await world.settled()
    await world.server.platform.audit.settled()
  })

  test('who never knew of them is told nothing else than before', async () => {
    const after = await totalsOf(some, readUntil)
    const policy = ({ url }: { url: string }): boolean => url === privacyCalls.changePolicy.url
    const without = ({ operations, details, ...rest }: typeof before) => ({
      ...rest,
      operations: operations.content.filter((entry) => !policy(entry)),
      total: operations.total - operations.content.filter(policy).length,
      details: details.filter((entry) => !policy(entry)),
    })
    expect(without(after)).toEqual(without(before))
    for (const text of [NAME, CONTACT, 'WATCHED-7', watched.id, watched.contact, watched.record])
      expect(JSON.stringify(after)).not.toContain(text)
  })

  test('their passages are found by no call, while those who knew of them find them', async () => {
    const { content } = await all.call(recordCalls.find, { body: {} })
    expect(content.map(({ id }) => id)).toContain(watched.record)
    const { personId, personName } = content.find(({ id }) => id === watched.record)!
    for (const body of [{ personName }, { personName: NAME }, { personId: personId! }, { personId: watched.id }])
      expect((await some.call(recordCalls.find, { body })).content).toEqual([])
    for (const call of [recordCalls.read, recordCalls.why, clinicCalls.analyse] as const) {
      expect((await all.ask(call, { params: { id: watched.record } })).status).toBe(200)
      expect((await some.ask(call, { params: { id: watched.record } })).status).toBe(404)
    }
    expect((await all.call(clinicCalls.list, { query: {} })).total).toBe(1)
  })

  test('the log is searched for them in vain', async () => {
    for (const subject of [NAME, CONTACT, 'Napoleons'])
      expect(await some.call(auditCalls.operations, { query: { subject } })).toMatchObject({ total: 0, content: [] })
    const { content } = await all.call(auditCalls.operations, { query: { size: 100 } })
    expect(content.filter(({ url }) => url.includes('/person/special')).length).toBeGreaterThan(0)
    for (const { id } of content.filter(({ url }) => url.includes('/person/special')))
      expect((await some.ask(auditCalls.operation, { params: { id } })).status).toBe(404)
    expect(await some.call(auditCalls.reads, { query: { subject: watched.id } })).toMatchObject({ total: 0 })
  })
})

test('of somebody erased whose records stand under a pseudonym no id is kept for it', async () => {
  const park = await world.addPark()
  await setPolicy(park, 'pseudonymise')
  const { id: group } = await park.call(specialCalls.createGroup, { body: { name: 'Napoleons' } })
  const { id } = await park.call(specialCalls.create, { body: { name: NAME, groupId: group } })
  await erase(park, id)
  const kept = await query<{ id: string }>(world.connectionString, 'SELECT id FROM former_watched WHERE park_id = $1', [park.park.id])
  expect(kept).toHaveLength(1)
  expect(kept[0]!.id).not.toBe(id)
})

test('who was taken off the watch list exists for everybody, after deletion too', async () => {
  const park = await world.addPark()
  const device = await park.device()
  const some = await world.session({ park: park.park, roleSign: 'other' })
  const { id: group } = await park.call(specialCalls.createGroup, { body: { name: 'Napoleons' } })
  const { id } = await park.call(specialCalls.create, { body: { name: NAME, groupId: group } })
  const { id: staff } = await park.personGroup()
  await recordAt(world, { site: park, device }, { id, name: NAME }, { epoch: 'cleared', revision: 'none' })
  await park.call(peopleCalls.change, { body: { id, name: NAME, groupId: staff, kind: 'staff' } })
  const records = async () => (await some.call(recordCalls.find, { body: {} })).content
  expect(await records()).toMatchObject([{ personId: id }])
  await park.call(peopleCalls.delete, { query: { ids: [id] } })
  expect(await records()).toMatchObject([{ personId: id, personName: NAME }])
})
