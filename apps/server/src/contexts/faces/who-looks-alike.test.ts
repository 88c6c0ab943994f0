/** A photo reveals nothing about registered persons to users who may neither search nor register persons. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, type Call } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { ALL_CALLS, ask, named } from '../../../../../tests/support/all-calls.ts'
import { drawnFace, createFixtures, type Fixtures } from '../../../../../tests/support/fixtures.ts'
import { allFieldsOf } from '../../../../../tests/support/requests.ts'
import { givenFor } from '../../../../../tests/support/cases/all.ts'

const LEARNING = ['own:person.edit', 'person.audit', 'basic.person.search']

let world: World
let here: Fixtures
let registered: MadePerson
let outsider: Client
beforeAll(async () => {
  world = await startWorld()
  here = await createFixtures(world, world)
  registered = await world.person({ name: 'Registered Already', workNumber: 'KNOWN-77', photo: await drawnFace() })
  await world.settled()
  outsider = await world.session({
    roleSign: 'admin',
    organisationId: world.server.contexts.organisation.service.root().id,
    permissions: PERMISSION_CODES.filter((code) => !LEARNING.includes(code)),
  })
})
afterAll(() => world?.stop())

const takesPhotograph = (call: Call): boolean =>
  !['device', 'basic'].includes(call.permission) &&
  (call.consumes === 'multipart' || ['faceId', 'facePhotos', 'faceIds'].some((field) => allFieldsOf(call.body).has(field)))

describe('a photograph of somebody registered', () => {
  test.each(named(ALL_CALLS.filter(takesPhotograph)))('%s tells an outsider nothing of whom it shows', async (_, call) => {
    const { faceId } = await outsider.call(faceCalls.cache, { body: {}, file: await drawnFace() })
    const given = { ...(await givenFor(call, here, world)), faceId, facePhotos: [faceId], faceIds: [faceId] }
    const answerText = JSON.stringify(await ask(world, call, outsider.credentials, given))
    for (const value of [registered.id, registered.name, registered.workNumber, ...registered.faceIds])
      expect(answerText).not.toContain(value)
    expect(answerText).not.toContain('"score":100')
  })

  test('is answered with whom it shows to those who may search or register persons, and to nobody who may only look at them', async () => {
    for (const permissions of [['basic.person.search'], ['person.list', 'own:person.edit']]) {
      const client = await world.session({ permissions })
      const { similar } = await client.call(faceCalls.cache, { body: {}, file: await drawnFace() })
      expect(similar).toContainEqual(expect.objectContaining({ personId: registered.id, personName: registered.name, score: 100 }))
    }
    const looking = await world.session({ permissions: ['person.list'] })
    for (const client of [outsider, looking]) {
      const answer = await client.call(faceCalls.cache, { body: {}, file: await drawnFace() })
      expect(Object.keys(answer).toSorted()).toEqual(['faceId', 'faces', 'thumbnail', 'url', 'wanted'])
    }
  })
})
