/** Visitors in the muster of a restricted area: whom they visit, for those who may see visits. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passDirection } from '@gatehouse/contract/enums'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createReception } from './testing/reception.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('a muster names the host and the group of visitors and companions, for whoever may see visits; others read people', async () => {
  const { site, host, photo, visit, read } = await createReception(world)
  const [one] = world.photographs.people
  const { id: visitId } = await visit({
    name: 'Grace Hopper',
    peers: [{ name: 'Jean Bartik', phone: '13700000009', facePhoto: await photo(await one!.photo(1)) }],
  })
  const { personId, visitorGroupName } = await read(visitId)
  const entry = await site.device({ name: 'Works gate', direction: passDirection.in })
  const { id: restrictionId } = await site.call(restrictionCalls.create, {
    body: { name: 'Works', limitType: 'antiSneakBack', deviceIds: [entry.id], antiSneakBack: true, flowLimit: false },
  })
  const companionId = (
    await world.server.platform.db.selectFrom('visitPeer').select('personId').where('visitId', '=', visitId).executeTakeFirstOrThrow()
  ).personId!
  const personIds = [host.id, personId!, companionId]
  await site.call(restrictionCalls.setStatus, { body: { restrictionId, personIds, status: 1 } })

  const query = { restrictionId }
  const { missing, content } = await site.call(restrictionCalls.muster, { query })
  expect(missing).toBe(3)
  const visits = new Map(content.map((person) => [person.personName, person.visit]))
  const visiting = { id: visitId, hostName: host.name, groupName: visitorGroupName }
  expect(visits).toEqual(
    new Map([
      [host.name, null],
      ['Grace Hopper', visiting],
      ['Jean Bartik', visiting],
    ]),
  )

  const guard = await world.session({ permissions: ['access.restriction'], park: site.park })
  const asGuard = await guard.call(restrictionCalls.muster, { query })
  expect(asGuard.missing).toBe(3)
  expect(asGuard.content.map((person) => person.visit)).toEqual([null, null, null])
  expect(asGuard.content.map(({ personName }) => personName).toSorted()).toEqual([host.name, 'Grace Hopper', 'Jean Bartik'].toSorted())

  // Who is signed off is no longer a person, and waits at no assembly point.
  await site.call(visitorCalls.signOff, { body: { visits: [{ id: visitId, status: visitorStatus.checkedIn }], forced: true } })
  await world.settled()
  expect((await site.call(restrictionCalls.muster, { query })).content.map(({ personName }) => personName)).toEqual([host.name])
})
