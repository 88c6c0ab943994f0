/**
 * A device's report of the persons it stores, as the gateway passes it on. How a device fetches people is covered by the tests of the
 * device.
 */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { MadeDevice, Site } from '@gatehouse/dev-env/world'
import type { Ground } from './specified.ts'

/** Report that the device stores all persons but these, each with a reason. */
export async function reportStored(
  { world, park }: Pick<Ground, 'world'> & { park: Site },
  device: MadeDevice,
  refused: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { platform, contexts } = world.server
  const synchronisation = contexts.synchronisation.service
  const settled = async () => {
    await platform.events.settled()
    await synchronisation.settled()
  }
  await settled()
  const principal = { deviceId: device.id, code: device.code, parkId: park.park.id }
  const { revision, audience, head: cursor, digest } = synchronisation.current(principal)!
  const exceptions = Object.entries(refused).map(([personId, reason]) => ({ personId, version: '0'.repeat(16), reason }))
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  await client.call(deviceProtocolCalls.exceptions, { body: { audience, cursor, exceptions } })
  const { persons } = synchronisation.view.audienceOf({ parkId: park.park.id }, device.id)!
  const failed = exceptions.length
  synchronisation.noteHoldings(principal, { revision, audience, cursor, digest, persons: persons - failed, failed })
  await settled()
}
