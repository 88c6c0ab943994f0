import sharp from 'sharp'
import { secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import type { Ground, CallCase } from './case.ts'

/** Create the record of a person who was admitted by face, with a picture on which no face is found. */
async function picturedPassage({ world, site }: Ground): Promise<{ id: string; recordId: string }> {
  const [person, device] = [await site.person(), await site.device()]
  const [of, scope] = [{ deviceId: device.id, parkId: site.park.id }, { parkId: site.park.id }]
  const record = passage(1, { occurredAt: world.clock.now(), personId: person.id, personName: person.name, hasPicture: true })
  const { records, statistics } = world.server.contexts
  const picture = sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
  await records.ingest(of, { epoch: 'pictured', oldestSeq: 1, sentAt: world.clock.now(), records: [record] })
  await records.records.attachPicture(scope, of, recordId(device.id, 'pictured', 1), await picture.webp().toBuffer())
  // Count now, so that no record is left to be counted while other calls are refused.
  await statistics.counting.add()
  return { id: person.id, recordId: recordId(device.id, 'pictured', 1) }
}

export const cases: readonly CallCase[] = [{ call: secondPhotographCalls.answer, given: picturedPassage, needs: { take: false } }]
