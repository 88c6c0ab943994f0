/** The installation that is kept for a release: one of everything, and a person with every field that is stored encrypted. */
import { calls as contract } from '@gatehouse/contract/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { userCalls } from '@gatehouse/contract/identity/users'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { startSimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import { startWorld, type MadeDevice, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { insertRoleUnscoped } from '@gatehouse/server/contexts/identity/data'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import { newId } from '@gatehouse/server/platform/database/ids'
import { createFixtures } from '../support/fixtures.ts'
import { givenFor } from '../support/cases/all.ts'
import { RESIDENT } from './resident.ts'

export interface FixtureInstallation {
  world: World
  /** Stores the person. */
  device: MadeDevice
}

/** Start a world on the server of DATABASE_URL and fill it. The caller stops the world. */
export async function startFixtureInstallation(): Promise<FixtureInstallation> {
  const world = await startWorld()
  const person = await addResident(world)
  const device = await addDoor(world, person)
  await addKeeper(world)
  const things = await createFixtures(world, world)
  for (const call of contract) await givenFor(call, things, world)
  await world.settled()
  return { world, device }
}

async function addResident(world: World): Promise<MadePerson> {
  const person = await world.person({ ...RESIDENT, photo: await portrait(RESIDENT.name, { gender: 'female' }) })
  const { faceId } = await world.call(faceCalls.cache, { body: {}, file: await portrait('Annabella', { gender: 'female' }) })
  await world.call(contactCalls.create, {
    body: { personId: person.id, relation: 2, name: 'Annabella', phone: '13800138001', gender: 2, photo: faceId },
  })
  return person
}

/** Create a door with secrets of its own, a permission for the person, and a record of a passage with its picture. */
async function addDoor(world: World, person: MadePerson): Promise<MadeDevice> {
  const device = await world.device({ name: 'North gate', code: 'NORTH', devicePassword: '135790' })
  await world.call(configurationCalls.changePark, {
    body: {
      settings: { volume: 40, consoleAccount: 'keeper' },
      consolePassword: 'Gatekeeper7',
      wifi: { name: 'Gatehouse', password: 'open-sesame' },
    },
  })
  await world.strategy({ name: 'Residents', persons: [person], devices: [device] })
  await world.settled()
  const simulated = await startSimulatedDevice({
    server: world.url,
    code: device.code,
    secret: device.secret,
    epoch: 'release',
    modelId: world.server.contexts.faces.service.modelId,
  })
  const record = passage(1, {
    occurredAt: world.clock.now(),
    personId: person.id,
    personName: person.name,
    revision: simulated.manifest().revision,
    hasPicture: true,
  })
  await simulated.send([record])
  await simulated.sendPicture(1, await portrait(RESIDENT.name, { gender: 'female' }))
  await simulated.stop()
  return device
}

/** Create a user of the console with an ID card. */
async function addKeeper(world: World): Promise<void> {
  const roleId = newId()
  await insertRoleUnscoped(
    world.server.platform.db,
    { id: roleId, name: 'Keeper', roleSign: 'other', permissions: ['person.list'], organisationId: world.park.id },
    world.clock.now(),
  )
  await world.call(userCalls.create, {
    body: {
      account: 'keeper',
      realName: 'Charles Babbage',
      organisationId: world.park.id,
      roles: [roleId],
      email: 'keeper@example.org',
      phone: '13800138002',
      idCard: 'K-1791-1226',
    },
  })
}
