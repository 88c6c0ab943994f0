/** Previews of changes of groups, and of moves of persons and devices: they show what doors store after the change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataOf, InputOf } from '@gatehouse/contract'
import { effectCalls } from '@gatehouse/contract/questions/effects'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Effect = DataOf<(typeof effectCalls)['personMove']>
const NOTHING = { gain: 0, lose: 0, otherHours: 0, minutesGained: 0, minutesLost: 0, deviceCount: 0, devices: [], breaches: [] }

/** Create two groups of staff, each with a door reached by its group; a door without a group, and one in a door group. */
async function campus() {
  const park = await world.addPark({ zone: 'UTC' })
  const group = (name: string) => park.personGroup({ name })
  const [labStaff, cooks, empty] = [await group('Chemists'), await group('Cooks'), await group('Empty')]
  const person = (name: string, groupId: string) => park.person({ name, groupId })
  const [ann, bob, cy] = [await person('Ann', labStaff.id), await person('Bob', labStaff.id), await person('Cy', cooks.id)]
  const [labs, kitchens, spare] = [await park.deviceGroup('Labs'), await park.deviceGroup('Kitchens'), await park.deviceGroup('Spare')]
  const device = (name: string, groupId?: string) => park.device({ name, ...(groupId !== undefined && { groupId }) })
  const [lab, kitchen, cellar] = [await device('Lab', labs.id), await device('Kitchen', kitchens.id), await device('Cellar')]
  await park.strategy({ personGroups: [labStaff], deviceGroups: [labs] })
  await park.strategy({ personGroups: [cooks], deviceGroups: [kitchens] })
  return { park, labStaff, cooks, empty, ann, bob, cy, labs, kitchens, spare, lab, kitchen, cellar, doors: [lab, kitchen, cellar] }
}
type Campus = Awaited<ReturnType<typeof campus>>

async function storedAt(device: MadeDevice): Promise<Set<string>> {
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  const { audience } = await client.call(deviceProtocolCalls.manifest, {})
  const { persons } = await client.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: '' } })
  return new Set(persons.map(({ name }) => name))
}
/** Return the names of the persons each door stores. */
async function storedByDoor(doors: readonly MadeDevice[]): Promise<Map<string, Set<string>>> {
  await world.settled()
  return new Map(await Promise.all(doors.map(async (door) => [door.name, await storedAt(door)] as const)))
}
/** Return `Lab +2 -1` for each door whose persons change. */
const summaryOf = ({ devices }: Pick<Effect, 'devices'>): string[] =>
  devices.map(({ name, gain, lose }) => `${name} +${gain} -${lose}`).toSorted()

/** Make a change, and return its result at the doors in the form of a preview. */
async function made(doors: readonly MadeDevice[], change: () => Promise<unknown>) {
  const before = await storedByDoor(doors)
  await change()
  const after = await storedByDoor(doors)
  const difference = (ones: Set<string>, others: Set<string>): string[] => [...ones].filter((name) => !others.has(name))
  const changes = doors.map(({ name }) => ({
    name,
    gain: difference(after.get(name)!, before.get(name)!),
    lose: difference(before.get(name)!, after.get(name)!),
  }))
  const whole = (what: 'gain' | 'lose'): string[] => [...new Set(changes.flatMap((one) => one[what]))].toSorted()
  return {
    doors: changes
      .flatMap(({ name, gain, lose }) => (gain.length + lose.length === 0 ? [] : [`${name} +${gain.length} -${lose.length}`]))
      .toSorted(),
    gain: whole('gain'),
    lose: whole('lose'),
  }
}

/** The kinds of changes, each with its preview calls. */
const kinds = {
  accessGroup: { effect: effectCalls.accessGroup, persons: effectCalls.accessGroupPersons },
  personMove: { effect: effectCalls.personMove, persons: effectCalls.personMovePersons },
  personGroup: { effect: effectCalls.personGroup, persons: effectCalls.personGroupPersons },
  deviceMove: { effect: effectCalls.deviceMove, persons: effectCalls.deviceMovePersons },
  deviceGroup: { effect: effectCalls.deviceGroup, persons: effectCalls.deviceGroupPersons },
} as const
type Kind = keyof typeof kinds
type Draft<K extends Kind> = InputOf<(typeof kinds)[K]['effect']['body']>

async function preview<K extends Kind>(park: Pick<Site, 'call'>, kind: K, body: Draft<K>) {
  const { effect, persons } = kinds[kind]
  const named = async (what: 'gain' | 'lose') =>
    ((await park.call(persons, { body: { ...body, what } as never })) as DataOf<typeof persons>).content.map(({ name }) => name)
  const answer = (await park.call(effect, { body: body as never })) as Effect
  return { answer, doors: summaryOf(answer), gain: await named('gain'), lose: await named('lose') }
}

/** Expect that a preview shows exactly what the change does. */
async function expectForeseen<K extends Kind>({ park, doors }: Campus, kind: K, body: Draft<K>, change: () => Promise<unknown>) {
  const { answer, ...foreseen } = await preview(park, kind, body)
  expect(answer).toMatchObject({ gain: foreseen.gain.length, lose: foreseen.lose.length, deviceCount: foreseen.doors.length })
  expect(await made(doors, change)).toEqual(foreseen)
  return foreseen
}

describe('persons who are moved', () => {
  test('lose what their old group opens and gain what the new one does, unless they keep it otherwise', async () => {
    const place = await campus()
    const { park, ann, bob, cooks, lab, cy } = place
    await park.strategy({ persons: [bob], devices: [lab] })
    const body = { ids: [ann.id, bob.id, cy.id], groupId: cooks.id }
    expect(await expectForeseen(place, 'personMove', body, () => park.call(peopleCalls.move, { body }))).toEqual({
      doors: ['Kitchen +2 -0', 'Lab +0 -1'],
      gain: ['Ann', 'Bob'],
      lose: ['Ann'],
    })
    // They are in the group now.
    expect((await preview(park, 'personMove', body)).answer).toEqual(NOTHING)
  })

  test('change nothing where their groups open the same', async () => {
    const { park, ann, labStaff, empty } = await campus()
    const { id: below } = await park.call(peopleCalls.createGroup, { body: { name: 'Below', parentId: labStaff.id } })
    expect((await preview(park, 'personMove', { ids: [ann.id], groupId: below })).answer).toEqual(NOTHING)
    expect((await preview(park, 'personMove', { ids: [ann.id], groupId: empty.id })).answer).toMatchObject({ gain: 0, lose: 1 })
  })

  test('change nothing where they are persons to look out for', async () => {
    const { park } = await campus()
    const [from, to] = [
      await park.call(specialCalls.createGroup, { body: { name: 'From' } }),
      await park.call(specialCalls.createGroup, { body: { name: 'To' } }),
    ]
    const { id } = await park.call(specialCalls.create, { body: { name: 'Wanted', workNumber: 'W1', groupId: from.id } })
    expect((await preview(park, 'personMove', { ids: [id], groupId: to.id })).answer).toEqual(NOTHING)
  })

  test('are refused as moving them would be', async () => {
    const [{ park, ann, cooks }, other] = [await campus(), await campus()]
    const ask = async (body: Draft<'personMove'>) => {
      const [seen, done] = [await park.ask(effectCalls.personMove, { body }), await park.ask(peopleCalls.move, { body })]
      expect({ ...seen, data: fieldsOf(seen.data) }).toMatchObject({ status: done.status, code: done.code, data: fieldsOf(done.data) })
      return seen
    }
    expect((await ask({ ids: [ann.id, other.ann.id], groupId: cooks.id })).status).toBe(404)
    expect((await ask({ ids: [ann.id], groupId: other.cooks.id })).status).toBe(400)
    const { id: watched } = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    expect((await ask({ ids: [ann.id], groupId: watched })).status).toBe(400)
    await park.call(peopleCalls.status, { body: { ids: [ann.id], status: 0 } })
    expect((await ask({ ids: [ann.id], groupId: cooks.id })).code).toBe(200224)
  })
})

const fieldsOf = (data: unknown): unknown => (data as { fields?: unknown } | null)?.fields ?? null

describe('a person group that is moved', () => {
  test('takes along who is in it and below it', async () => {
    const place = await campus()
    const { park, labStaff, cooks } = place
    const { id: below } = await park.call(peopleCalls.createGroup, { body: { name: 'Below', parentId: labStaff.id } })
    await park.person({ name: 'Deep', groupId: below })
    const body = { id: labStaff.id, parentId: cooks.id }
    expect(await expectForeseen(place, 'personGroup', body, () => park.call(peopleCalls.changeGroup, { body }))).toEqual({
      doors: ['Kitchen +3 -0'],
      gain: ['Ann', 'Bob', 'Deep'],
      lose: [],
    })
    const back = { id: below, parentId: null }
    expect(await expectForeseen(place, 'personGroup', back, () => park.call(peopleCalls.changeGroup, { body: back }))).toMatchObject({
      doors: ['Kitchen +0 -1', 'Lab +0 -1'],
      lose: ['Deep'],
    })
    expect(await park.ask(effectCalls.personGroup, { body: { id: cooks.id, parentId: labStaff.id } })).toMatchObject({ status: 400 })
  })
})

describe('devices that are moved', () => {
  test('let pass whom their new group lets, and no more whom the old one did', async () => {
    const place = await campus()
    const { park, lab, cellar, kitchens } = place
    const body = { ids: [lab.id, cellar.id], groupId: kitchens.id }
    expect(await expectForeseen(place, 'deviceMove', body, () => park.call(deviceCalls.move, { body }))).toEqual({
      doors: ['Cellar +1 -0', 'Lab +1 -2'],
      gain: ['Cy'],
      lose: ['Ann', 'Bob'],
    })
    const out = { ids: [lab.id], groupId: null }
    expect(await expectForeseen(place, 'deviceMove', out, () => park.call(deviceCalls.move, { body: out }))).toMatchObject({
      doors: ['Lab +0 -1'],
    })
    // It is already in no group.
    expect((await preview(park, 'deviceMove', out)).answer).toEqual(NOTHING)
  })

  test('let nobody pass wherever they stand while they are not released', async () => {
    const { park, labs } = await campus()
    const waiting = await park.device({ name: 'Waiting' })
    await park.call(deviceCalls.resetSecret, { params: { id: waiting.id }, body: { release: false } })
    expect((await preview(park, 'deviceMove', { ids: [waiting.id], groupId: labs.id })).answer).toEqual(NOTHING)
  })

  test('are refused as moving them would be', async () => {
    const [{ park, cellar, labs }, other] = [await campus(), await campus()]
    const ask = (body: Draft<'deviceMove'>) => park.ask(effectCalls.deviceMove, { body })
    expect((await ask({ ids: [cellar.id, other.cellar.id], groupId: labs.id })).status).toBe(404)
    expect(await ask({ ids: [cellar.id], groupId: other.labs.id })).toMatchObject({ status: 400, data: { fields: [{ path: 'groupId' }] } })
    const keeper = await world.session({ permissions: ['device.list', 'own:device.edit'], park: park.park })
    expect(await keeper.ask(effectCalls.deviceMove, { body: { ids: [cellar.id], groupId: labs.id } })).toMatchObject({
      status: 403,
      code: 100510,
      data: { fields: [{ path: 'groupId', rule: 'reachesMore' }] },
    })
  })

  test('are told without names to who may not see persons, and only of devices that exist for whoever asks', async () => {
    const { park, lab, labs, spare, cellar } = await campus()
    const { id: below } = await park.call(deviceCalls.createGroup, { body: { name: 'Below', parentId: spare.id } })
    const body = { ids: [lab.id], groupId: below }
    const keeper = await world.session({ permissions: ['device.list', 'own:device.edit'], park: park.park })
    expect(await keeper.call(effectCalls.deviceMove, { body })).toMatchObject({ gain: 0, lose: 2, deviceCount: 1 })
    expect(await keeper.ask(effectCalls.deviceMovePersons, { body: { ...body, what: 'lose' } })).toMatchObject({ status: 403 })
    const limited = await world.session({
      permissions: ['device.list', 'own:device.edit'],
      park: park.park,
      deviceGroupIds: [labs.id, spare.id],
    })
    expect(await limited.call(effectCalls.deviceMove, { body })).toMatchObject({ lose: 2 })
    expect(await limited.ask(effectCalls.deviceMove, { body: { ids: [cellar.id], groupId: below } })).toMatchObject({ status: 404 })
  })
})

describe('a device group', () => {
  test('that is moved takes its doors along, and those of groups below it', async () => {
    const place = await campus()
    const { park, labs, kitchens, cellar } = place
    const { id: below } = await park.call(deviceCalls.createGroup, { body: { name: 'Below', parentId: labs.id } })
    await park.call(deviceCalls.move, { body: { ids: [cellar.id], groupId: below } })
    const body = { id: labs.id, parentId: kitchens.id }
    expect(await expectForeseen(place, 'deviceGroup', body, () => park.call(deviceCalls.changeGroup, { body }))).toEqual({
      doors: ['Cellar +1 -0', 'Lab +1 -0'],
      gain: ['Cy'],
      lose: [],
    })
    const back = { id: below, parentId: null }
    expect(await expectForeseen(place, 'deviceGroup', back, () => park.call(deviceCalls.changeGroup, { body: back }))).toMatchObject({
      doors: ['Cellar +0 -3'],
    })
    expect((await preview(park, 'deviceGroup', { id: below })).answer).toEqual(NOTHING)
    expect(await park.ask(effectCalls.deviceGroup, { body: { id: kitchens.id, parentId: labs.id } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'parentId', rule: 'groupBelowItself' }] },
    })
  })

  test('that can be deleted takes nothing from anybody, and says so; another one is refused', async () => {
    const place = await campus()
    const { park, labs, spare, kitchens } = place
    const { id: below } = await park.call(deviceCalls.createGroup, { body: { name: 'Below', parentId: kitchens.id } })
    const ask = (id: string) => park.ask(effectCalls.deviceGroup, { body: { id, deleted: true } })
    expect(await ask(labs.id)).toMatchObject({ code: 900109 })
    expect(await ask(kitchens.id)).toMatchObject({ code: 200102 })
    expect(await ask(crypto.randomUUID())).toMatchObject({ status: 404 })
    await expectForeseen(place, 'deviceGroup', { id: spare.id, deleted: true }, () =>
      park.call(deviceCalls.deleteGroup, { query: { id: spare.id } }),
    )
    expect((await preview(park, 'deviceGroup', { id: below, deleted: true })).answer).toEqual(NOTHING)
  })
})

describe('an access group', () => {
  const used = async (place: Campus, doors: readonly Made[]) => {
    const { park, labStaff } = place
    const { id } = await park.call(accessGroupCalls.create, { body: { name: 'House', deviceIds: doors.map((door) => door.id) } })
    await park.strategy({ personGroups: [labStaff], accessGroupIds: [id] })
    return id
  }

  test('opens and shuts its doors to all whom strategies name with it', async () => {
    const place = await campus()
    const { park, lab, kitchen, cellar, kitchens } = place
    const id = await used(place, [lab, cellar])
    const body = { id, deviceIds: [kitchen.id], deviceGroupIds: [] }
    const change = { ...body, name: 'House' }
    // They keep the laboratory by another strategy.
    expect(await expectForeseen(place, 'accessGroup', body, () => park.call(accessGroupCalls.change, { body: change }))).toEqual({
      doors: ['Cellar +0 -2', 'Kitchen +2 -0'],
      gain: ['Ann', 'Bob'],
      lose: ['Ann', 'Bob'],
    })
    // The same door named by its group.
    expect((await preview(park, 'accessGroup', { id, deviceIds: [], deviceGroupIds: [kitchens.id] })).answer).toEqual(NOTHING)
    expect((await preview(park, 'accessGroup', { id, deviceIds: [kitchen.id], name: 'Renamed' })).answer).toEqual(NOTHING)
    // Fields left out stay, as when saving.
    expect((await preview(park, 'accessGroup', { id, name: 'Renamed' })).answer).toEqual(NOTHING)
    expect((await preview(park, 'accessGroup', { id, deviceGroupIds: [kitchens.id] })).answer).toEqual(NOTHING)
    expect((await preview(park, 'accessGroup', { id, deviceIds: [] })).doors).toEqual(['Kitchen +0 -2'])
  })

  test('is refused as saving or deleting it would be', async () => {
    const [place, other] = [await campus(), await campus()]
    const { park, cellar } = place
    const id = await used(place, [cellar])
    const ask = (body: Draft<'accessGroup'>) => park.ask(effectCalls.accessGroup, { body })
    expect(await ask({ id, deleted: true })).toMatchObject({ code: 300102 })
    expect(await ask({ id: await used(other, []), deviceIds: [] })).toMatchObject({ code: 300101 })
    expect(await ask({ id, deviceIds: [other.cellar.id] })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'deviceIds', rule: 'unknown' }] },
    })
    const { id: unused } = await park.call(accessGroupCalls.create, { body: { name: 'Unused', deviceIds: [cellar.id] } })
    await expectForeseen(place, 'accessGroup', { id: unused, deleted: true }, () =>
      park.call(accessGroupCalls.delete, { params: { id: unused } }),
    )
  })
})

describe('a written rule', () => {
  test('that a move goes against is told before, and is what refuses it', async () => {
    const { park, ann, cooks, kitchens, lab, labStaff, labs } = await campus()
    await park.call(writtenRuleCalls.create, {
      body: { name: 'No chemists', sentence: 'Ask the cook.', personIds: [ann.id], deviceGroupIds: [kitchens.id] },
    })
    const breaches = [
      {
        rule: { name: 'No chemists', sentence: 'Ask the cook.' },
        reaction: 'refuse',
        personCount: 1,
        deviceCount: 1,
        deviceNames: ['Kitchen'],
      },
    ]
    const refused = { status: 409, data: { breaches } }
    const move = { ids: [ann.id], groupId: cooks.id }
    expect((await preview(park, 'personMove', move)).answer).toMatchObject({ gain: 1, breaches })
    expect(await park.ask(peopleCalls.move, { body: move })).toMatchObject(refused)
    const below = { id: labStaff.id, parentId: cooks.id }
    expect((await preview(park, 'personGroup', below)).answer).toMatchObject({ gain: 2, breaches })
    expect(await park.ask(peopleCalls.changeGroup, { body: below })).toMatchObject(refused)

    await park.strategy({ personGroups: [labStaff], deviceGroups: [await park.deviceGroup('Nowhere')] })
    const { id: forbidden } = await park.call(deviceCalls.createGroup, { body: { name: 'Forbidden', parentId: kitchens.id } })
    await park.strategy({ persons: [ann], deviceGroups: [labs] })
    const device = { ids: [lab.id], groupId: forbidden }
    // Only the cooks pass there, and she is not one of them.
    expect((await preview(park, 'deviceMove', device)).answer).toMatchObject({ breaches: [] })
    const group = { id: labs.id, parentId: kitchens.id }
    const atLab = [{ ...breaches[0]!, deviceNames: ['Lab'] }]
    expect((await preview(park, 'deviceGroup', group)).answer).toMatchObject({ breaches: atLab })
    expect(await park.ask(deviceCalls.changeGroup, { body: group })).toMatchObject({ status: 409, data: { breaches: atLab } })
  })
})
