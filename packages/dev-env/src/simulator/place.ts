/** Where a fleet runs: a running server, or a world of its own. */
import { BUILTIN_MODEL } from '@gatehouse/face-engine'
import { createClient, logIn, type Client } from '../client.ts'
import { startWorld } from '../world.ts'
import type { Options } from './command-line.ts'
import { enrolDevices, permit, removeDevices, rootGroupsOf } from './enrolment.ts'
import type { Credentials } from './fleet.ts'
import { seedDevices, seedPersons } from './seeder.ts'

export interface Place {
  url: string
  modelId: string
  devices: (Credentials & { id: string })[]
  /** Sends the requests that are not the devices' own calls. */
  client: Client
  /** Remove what was made. */
  leave(): Promise<void>
}

export const openPlace = (options: Options, say: (sentence: string) => void): Promise<Place> =>
  options.server === null ? ownWorld(options, say) : runningServer(options, options.server, say)

async function ownWorld({ devices: count, persons }: Options, say: (sentence: string) => void): Promise<Place> {
  say('A world of its own is made; its database is thrown away at the end.')
  const world = await startWorld({ checkAnswers: false })
  const photo = await world.server.platform.storage.savePicture(
    { parkId: world.park.id },
    await world.photographs.people[0]!.photo(1),
    'face',
  )
  const [crowd, { group, devices }] = [
    await seedPersons(world, { prefix: 'Visitor', count: persons, photo }),
    await seedDevices(world, { prefix: 'SIM', count }),
  ]
  await world.strategy({ name: 'Simulated', personGroups: [crowd.group], deviceGroups: [group] })
  await world.settled()
  return { url: world.url, modelId: world.server.contexts.faces.service.modelId, devices, client: world.client, leave: () => world.stop() }
}

async function runningServer(
  { devices: count, keep, model }: Options,
  { url, user, password }: NonNullable<Options['server']>,
  say: (sentence: string) => void,
): Promise<Place> {
  const { access_token: bearer } = await logIn(createClient(url), { account: user, password })
  const client = createClient(url, { bearer })
  const enrolment = await enrolDevices(client, count)
  say(`${count} devices are registered at ${url}.`)
  let strategyId: string | null = null
  async function leave(): Promise<void> {
    if (keep) return say('Devices and strategy stay, as told.')
    await removeDevices(
      client,
      enrolment.devices.map(({ id }) => id),
      strategyId,
    )
    say('The devices are removed; their records stay.')
  }
  try {
    const groups = await rootGroupsOf(client)
    if (groups.length > 0) strategyId = await permit(client, enrolment, groups)
    else say('There are no persons at the server: all visitors are strangers.')
  } catch (error) {
    await leave()
    throw error
  }
  return { url, modelId: model ?? BUILTIN_MODEL, devices: enrolment.devices, client, leave }
}
