/** Linked parks: applying, agreeing, dismissing, and the persons that are shared in the meantime. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { associatedPersonCalls } from '@gatehouse/contract/people/relation'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const codeOf = async (at: Site) => (await at.call(areaCalls.verificationCode, { query: {} })).verificationCode
const apply = (from: Site, code: string, members: { personIds?: string[]; personGroupIds?: string[] } = {}) =>
  from.ask(relationCalls.apply, { body: { authorisationCode: code, ...members } })
const listed = async (at: Site) => (await at.call(relationCalls.list, { query: {} })).content
const shared = (at: Site, query = {}) => at.call(associatedPersonCalls.list, { query })

/** Create two parks of which the first has applied to the second. */
async function applied(members: (of: Site) => Promise<{ personIds?: string[]; personGroupIds?: string[] }> = async () => ({})) {
  const [applicant, receiver] = [await world.addPark(), await world.addPark()]
  const answer = await apply(applicant, await codeOf(receiver), await members(applicant))
  expect(answer.code).toBe(0)
  return { applicant, receiver, id: (answer.data as { id: string }).id }
}

test(
  'a park applies by the code of another; both see it, each from its side; only the applicant sees the members ' +
    '[STATE:parkSyncApplication:*>applied]',
  async () => {
    const [applicant, receiver] = [await world.addPark({ name: 'Applying' }), await world.addPark({ name: 'Asked' })]
    const person = await applicant.person({ name: 'Lin' })
    const group = await applicant.personGroup({ name: 'Crew' })
    await applicant.person({ groupId: group.id })
    await apply(applicant, await codeOf(receiver), { personIds: [person.id], personGroupIds: [group.id] })
    expect(await listed(applicant)).toMatchObject([
      {
        direction: 'sent',
        parkName: 'Asked',
        status: 'applied',
        personCount: 2,
        persons: [{ id: person.id, name: 'Lin' }],
        personGroups: [{ id: group.id, name: 'Crew' }],
        decidedAt: null,
      },
    ])
    expect(await listed(receiver)).toMatchObject([
      { direction: 'received', parkName: 'Applying', status: 'applied', personCount: 2, persons: [], personGroups: [] },
    ])
    expect((await shared(receiver)).total).toBe(0)
  },
)

test('says by the names of the specification which park applied to which, and the code only to whoever may know it', async () => {
  const [applicant, receiver] = [await world.addPark({ name: 'Northern' }), await world.addPark({ name: 'Southern' })]
  const authorisationCode = await codeOf(receiver)
  await applicant.call(relationCalls.apply, { body: { authorisationCode } })
  const parks = { applicationPark: 'Northern', receivingPark: 'Southern', status: 'applied' }
  expect(await listed(receiver)).toMatchObject([{ ...parks, direction: 'received', authorisationCode }])
  const own = { permissions: ['park.related'] }
  const local = await world.session({ park: applicant.park, organisationId: applicant.park.id, ...own })
  expect((await local.call(relationCalls.list, { query: {} })).content).toMatchObject([
    { ...parks, direction: 'sent', authorisationCode: null },
  ])
  // A user who manages both parks may read the code of either.
  expect(await listed(applicant)).toMatchObject([{ ...parks, authorisationCode }])
})

test('the former name of the code is taken for one version', async () => {
  const [applicant, receiver] = [await world.addPark(), await world.addPark()]
  expect(await applicant.ask(relationCalls.apply, { body: { code: await codeOf(receiver) } as never })).toMatchObject({ code: 0 })
})

test('a change keeps what it leaves out, removes what is null, and takes a relation back as it was read, from either side', async () => {
  const { applicant, receiver, id } = await applied(async (of) => ({
    personIds: [(await of.person()).id],
    personGroupIds: [(await of.personGroup()).id],
  }))
  const seen = async (at: Site) => (await listed(at))[0]!
  const { personIds, personGroupIds } = await seen(applicant)
  for (const at of [applicant, receiver]) {
    expect(await at.ask(relationCalls.change, { body: (await seen(at)) as never })).toMatchObject({ code: 0 })
    expect(await seen(applicant)).toMatchObject({ status: 'applied', personIds, personGroupIds })
  }
  await receiver.call(relationCalls.change, { body: { id, status: 'agreed' } })
  for (const at of [applicant, receiver])
    expect(await at.ask(relationCalls.change, { body: (await seen(at)) as never })).toMatchObject({ code: 0 })
  await applicant.call(relationCalls.change, { body: { id, personGroupIds: null } })
  expect(await seen(applicant)).toMatchObject({ status: 'agreed', personIds, personGroupIds: [] })
  expect(await applicant.ask(relationCalls.change, { body: { id, status: null } as never })).toMatchObject({ status: 400 })
  expect((await receiver.ask(relationCalls.change, { body: { id, status: 'applied' } })).code).toBe(1100004)
})

test('nobody and no group is chosen twice [VAL-155]', async () => {
  const [applicant, receiver] = [await world.addPark(), await world.addPark()]
  const [person, group] = [await applicant.person(), await applicant.personGroup()]
  const refusal = (path: string) => ({ status: 400, data: { fields: [{ path, rule: 'duplicate' }] } })
  expect(await apply(applicant, await codeOf(receiver), { personIds: [person.id, person.id] })).toMatchObject(refusal('personIds'))
  expect(await apply(applicant, await codeOf(receiver), { personGroupIds: [group.id, group.id] })).toMatchObject(refusal('personGroupIds'))
  expect(await listed(applicant)).toEqual([])
})

test(
  'the own park, a second application and a linked park are refused on the field: 1100001, 1100002, 1100003 ' +
    '[VAL-205] [VAL-206] [VAL-207]',
  async () => {
    const { applicant, receiver, id } = await applied()
    const refusal = (code: number) => ({ code, data: { fields: [{ path: 'authorisationCode', rule: `code.${code}` }] } })
    expect(await apply(applicant, await codeOf(applicant))).toMatchObject(refusal(1100001))
    expect(await apply(applicant, await codeOf(receiver))).toMatchObject(refusal(1100002))
    // Nor is the opposite direction possible: two parks have one link.
    expect(await apply(receiver, await codeOf(applicant))).toMatchObject(refusal(1100002))
    await receiver.call(relationCalls.change, { body: { id, status: 'agreed' } })
    expect(await apply(applicant, await codeOf(receiver))).toMatchObject(refusal(1100003))
    expect(await apply(applicant, '0000000000')).toMatchObject({
      code: 400,
      data: { fields: [{ path: 'authorisationCode', rule: 'verificationCodeUnknown' }] },
    })
  },
)

test('two applications at the same moment make one', async () => {
  const [one, other] = [await world.addPark(), await world.addPark()]
  const codes = [await codeOf(one), await codeOf(other)]
  const answers = await Promise.all([apply(one, codes[1]!), apply(other, codes[0]!), apply(one, codes[1]!)])
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1100002, 1100002])
  expect(await listed(one)).toHaveLength(1)
})

test('only the park that was asked agrees, and what was answered is answered: 1100004', async () => {
  const { applicant, receiver, id } = await applied()
  expect((await applicant.ask(relationCalls.change, { body: { id, status: 'agreed' } })).code).toBe(1100004)
  expect((await receiver.ask(relationCalls.change, { body: { id, status: 'dismissed' } })).code).toBe(1100004)
  expect((await receiver.ask(relationCalls.change, { body: { id, status: 'agreed' } })).code).toBe(0)
  expect((await receiver.ask(relationCalls.change, { body: { id, status: 'refused' } })).code).toBe(1100004)
  const stranger = await world.addPark()
  for (const answer of [
    await stranger.ask(relationCalls.change, { body: { id, status: 'dismissed' } }),
    await stranger.ask(relationCalls.delete, { params: { id } }),
  ])
    expect(answer.code).toBe(404)
})

test('a park that was asked refuses: nobody is shared, and it may be asked anew [STATE:parkSyncApplication:applied>refused]', async () => {
  const { applicant, receiver, id } = await applied(async (of) => ({ personIds: [(await of.person()).id] }))
  expect((await applicant.ask(relationCalls.change, { body: { id, status: 'refused' } })).code).toBe(1100004)
  await receiver.call(relationCalls.change, { body: { id, status: 'refused' } })
  expect(await listed(applicant)).toMatchObject([{ id, status: 'refused' }])
  expect((await shared(receiver)).total).toBe(0)
  expect((await receiver.ask(relationCalls.change, { body: { id, status: 'agreed' } })).code).toBe(1100004)
  expect((await apply(applicant, await codeOf(receiver))).code).toBe(0)
})

test(
  'once agreed, the persons named and those of the groups are associated with the other park, until either dismisses ' +
    '[STATE:parkSyncApplication:applied>agreed] [STATE:parkSyncApplication:agreed>dismissed]',
  async () => {
    let groupId = ''
    const { applicant, receiver, id } = await applied(async (of) => {
      const group = await of.personGroup()
      groupId = group.id
      return { personIds: [(await of.person({ name: 'Named', workNumber: 'N-1' })).id], personGroupIds: [group.id] }
    })
    const below = await applicant.personGroup({ parentId: groupId })
    await receiver.call(relationCalls.change, { body: { id, status: 'agreed' } })
    expect((await shared(receiver)).content.map(({ name }) => name)).toEqual(['Named'])
    // A person who joins the group later is shared too.
    const later = await applicant.person({ name: 'Later', groupId: below.id })
    const { total, content } = await shared(receiver)
    expect(total).toBe(2)
    expect(content.find(({ id: personId }) => personId === later.id)).toMatchObject({
      name: 'Later',
      parkId: applicant.park.id,
      parkName: applicant.park.name,
      status: 1,
    })
    expect((await shared(receiver, { name: 'nam' })).content.map(({ workNumber }) => workNumber)).toEqual(['N-1'])
    expect((await shared(receiver, { workNumber: 'n-1' })).total).toBe(1)
    expect((await shared(receiver, { parkId: receiver.park.id })).total).toBe(0)
    expect((await shared(receiver, { page: 2, size: 1 })).content).toHaveLength(1)
    expect((await shared(applicant)).total).toBe(0)
    expect(await receiver.call(associatedPersonCalls.read, { query: { id: later.id } })).toMatchObject({ name: 'Later' })
    const own = await receiver.person()
    expect((await receiver.ask(associatedPersonCalls.read, { query: { id: own.id } })).code).toBe(404)

    await applicant.call(relationCalls.change, { body: { id, status: 'dismissed' } })
    expect((await shared(receiver)).total).toBe(0)
    expect((await receiver.ask(associatedPersonCalls.read, { query: { id: later.id } })).code).toBe(404)
    expect((await listed(receiver))[0]).toMatchObject({ status: 'dismissed' })
  },
)

test('the applicant changes whom it is about; the other park cannot, and nobody names people of another park', async () => {
  const { applicant, receiver, id } = await applied()
  await receiver.call(relationCalls.change, { body: { id, status: 'agreed' } })
  const person = await applicant.person()
  const { version } = (await listed(applicant))[0]!
  await applicant.call(relationCalls.change, { body: { id, personIds: [person.id], version } })
  expect((await shared(receiver)).content.map(({ id: personId }) => personId)).toEqual([person.id])
  expect((await applicant.ask(relationCalls.change, { body: { id, personIds: [], version } })).code).toBe(409)
  const foreign = await receiver.person()
  expect((await receiver.ask(relationCalls.change, { body: { id, personIds: [foreign.id] } })).code).toBe(1100004)
  expect(await applicant.ask(relationCalls.change, { body: { id, personIds: [foreign.id] } })).toMatchObject({
    code: 400,
    data: { fields: [{ path: 'personIds', rule: 'unknown' }] },
  })
  await applicant.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
  expect((await shared(receiver)).total).toBe(0)
})

test('an application is taken back by its park, an ended one removed by either, a link only dismissed; they may apply again', async () => {
  const { applicant, receiver, id } = await applied()
  expect((await receiver.ask(relationCalls.delete, { params: { id } })).code).toBe(1100004)
  expect((await applicant.ask(relationCalls.delete, { params: { id } })).code).toBe(0)
  expect(await listed(receiver)).toEqual([])
  const again = ((await apply(applicant, await codeOf(receiver))).data as { id: string }).id
  await receiver.call(relationCalls.change, { body: { id: again, status: 'agreed' } })
  expect((await applicant.ask(relationCalls.delete, { params: { id: again } })).code).toBe(1100004)
  await receiver.call(relationCalls.change, { body: { id: again, status: 'dismissed' } })
  expect((await apply(receiver, await codeOf(applicant))).code).toBe(0)
  expect((await receiver.ask(relationCalls.delete, { params: { id: again } })).code).toBe(0)
})

test('parks of the own part of the tree are offered, without those that are asked or linked', async () => {
  const offered = async () => (await world.call(relationCalls.parks, {})).map(({ id }) => id)
  const other = await world.addPark()
  expect(await offered()).toContain(other.park.id)
  expect(await offered()).not.toContain(world.park.id)
  expect((await world.ask(relationCalls.apply, { body: { parkId: other.park.id } })).code).toBe(0)
  expect(await offered()).not.toContain(other.park.id)
  const bound = await world.session({ permissions: ['park.related'], park: other.park })
  expect(await bound.ask(relationCalls.apply, { body: { parkId: (await world.addPark()).park.id } })).toMatchObject({
    code: 400,
    data: { fields: [{ path: 'parkId', rule: 'unknown' }] },
  })
})

test('an application that names both parks is from the own one, to the one that is meant', async () => {
  const [other, third] = [await world.addPark(), await world.addPark()]
  const refused = async (body: object) => (await world.ask(relationCalls.apply, { body })).data
  expect(await refused({ applicationPark: third.park.id, receivingPark: other.park.id })).toMatchObject({
    fields: [{ path: 'applicationPark', rule: 'unknown' }],
  })
  expect(await refused({ receivingPark: other.park.id, parkId: third.park.id })).toMatchObject({
    fields: [{ path: 'receivingPark', rule: 'unknown' }],
  })
  expect(await refused({ receivingPark: third.park.id, authorisationCode: await codeOf(other) })).toMatchObject({
    fields: [{ path: 'authorisationCode', rule: 'verificationCodeUnknown' }],
  })
  const { id } = await world.call(relationCalls.apply, { body: { applicationPark: world.park.id, receivingPark: other.park.id } })
  expect(await listed(other)).toMatchObject([{ id, applicationPark: world.park.name, receivingPark: other.park.name }])
})

test('a park that is deleted takes its links with it', async () => {
  const { applicant, receiver, id } = await applied(async (of) => ({ personIds: [(await of.person()).id] }))
  await receiver.call(relationCalls.change, { body: { id, status: 'agreed' } })
  expect((await shared(receiver)).total).toBe(1)
  expect((await world.ask(areaCalls.delete, { params: { id: applicant.park.id } })).code).toBe(0)
  expect(await listed(receiver)).toEqual([])
  expect((await shared(receiver)).total).toBe(0)
  expect((await receiver.call(organisationCalls.parkInfo, {})).parkName).toBe(receiver.park.name)
})

test('a row says what its side can do, as the server lets it be done', async () => {
  const turn = (at: Site, id: string, status: 'agreed' | 'refused' | 'dismissed') => at.ask(relationCalls.change, { body: { id, status } })
  const actions = {
    change: async (at: Site, id: string) => at.ask(relationCalls.change, { body: { id, personIds: [(await at.person()).id] } }),
    agree: (at: Site, id: string) => turn(at, id, 'agreed'),
    refuse: (at: Site, id: string) => turn(at, id, 'refused'),
    dismiss: (at: Site, id: string) => turn(at, id, 'dismissed'),
    delete: (at: Site, id: string) => at.ask(relationCalls.delete, { params: { id } }),
  }
  const BECOMES: Record<string, string> = { agree: 'agreed', refuse: 'refused', dismiss: 'dismissed' }
  const ways: Record<string, ('agreed' | 'refused' | 'dismissed')[]> = {
    applied: [],
    agreed: ['agreed'],
    refused: ['refused'],
    dismissed: ['agreed', 'dismissed'],
  }
  const offered: Record<string, string[]> = {}
  for (const [state, way] of Object.entries(ways))
    for (const side of ['applicant', 'receiver'] as const) {
      let both = await applied()
      for (const status of way) await turn(both.receiver, both.id, status)
      const { can } = (await listed(both[side]))[0]!
      offered[`${state} ${side}`] = Object.keys(can).filter((action) => can[action as keyof typeof can])
      // A refused action leaves the link unchanged; an allowed one is tried on another link in the same state.
      for (const [action, ask] of Object.entries(actions)) {
        // A value that is unchanged is sent back as it was read.
        if (BECOMES[action] === state) continue
        const answer = await ask(both[side], both.id)
        expect(answer.code, `${action}: ${state}, ${side}`).toBe(can[action as keyof typeof can] ? 0 : 1100004)
        if (answer.code !== 0) continue
        both = await applied()
        for (const status of way) await turn(both.receiver, both.id, status)
      }
    }
  expect(offered).toEqual({
    'applied applicant': ['change', 'delete'],
    'applied receiver': ['agree', 'refuse'],
    'agreed applicant': ['change', 'dismiss'],
    'agreed receiver': ['dismiss'],
    'refused applicant': ['delete'],
    'refused receiver': ['delete'],
    'dismissed applicant': ['delete'],
    'dismissed receiver': ['delete'],
  })
})
