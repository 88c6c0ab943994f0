/**
 * Recorded passages, for the calls of the specification that return them. How a device sends them is covered by the tests of the device.
 */
import { recordId } from '@gatehouse/server/platform/database/ids'
import type { Made, MadeDevice, Site } from '@gatehouse/dev-env/world'
import type { Ground } from './specified.ts'

/** Fields of a passage, by the names of the entity AccessRecord. */
interface Said {
  time: number
  direction: number
  verifyType: number
  result: number
  failReason: number | null
  mask: number
  helmet: number
  temperature: number
  temperatureStatus: number
}

let epochs = 0

/** Record a passage: admitted by face a moment ago unless given. @returns the record's id */
export async function passed(
  { world, park }: Pick<Ground, 'world'> & { park: Site },
  person: Made | null,
  device: MadeDevice,
  { time, ...options }: Partial<Said> = {},
): Promise<string> {
  const epoch = `specified ${++epochs}`
  const record = {
    seq: 1,
    occurredAt: time ?? world.clock.now() - 1000,
    personId: person?.id ?? null,
    personName: person?.name ?? '',
    result: 1,
    failReason: null,
    verifyType: 1,
    direction: 1,
    score: 90,
    checks: '[]',
    revision: 'none',
    hasPicture: false,
    ...options,
  }
  await world.server.contexts.records.ingest(
    { deviceId: device.id, parkId: park.park.id },
    { epoch, oldestSeq: 1, sentAt: world.clock.now(), records: [record] },
  )
  return recordId(device.id, epoch, 1)
}
