import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { deviceType } from '@gatehouse/contract/enums'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { newId } from '@gatehouse/server/platform/database/ids'
import { sql } from '@gatehouse/server/platform/database/database'
import type { Given } from '../requests.ts'
import type { CallCase, Ground } from './case.ts'

/** Create a capture that matched a person: cameras send them, and the walks have none. Return what filters of the lists name. */
async function capture({ world, site }: Ground): Promise<Given> {
  const [device, person] = [await site.device(), await site.person()]
  const [id, taskId, now] = [newId(), newId(), new Date(world.clock.now())]
  const db = world.server.platform.db
  await sql`INSERT INTO capture (id, park_id, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at,
      quality, face_width)
    VALUES (${id}, ${site.park.id}, ${device.id}, ${device.name}, 1, ${now}, ${now}, ${now}, ${now}, 1, 100)`.execute(db)
  await sql`INSERT INTO capture_match (id, capture_id, park_id, captured_at, device_id, task_id, task_name, person_id, person_name,
      group_id, group_name, score)
    VALUES (${newId()}, ${id}, ${site.park.id}, ${now}, ${device.id}, ${taskId}, 'Gate', ${person.id}, ${person.name},
      ${person.groupId}, '', 90)`.execute(db)
  return { captureIds: [id], deviceIds: [device.id], taskId, personId: person.id, personGroupId: person.groupId }
}

/** The walk's device is no camera. */
const toCameras: Pick<CallCase, 'lastWord'> = { lastWord: [404, 404] }

export const cases: readonly CallCase[] = [
  { call: captureCalls.find, given: capture },
  { call: captureCalls.export, given: capture },
  {
    call: captureCalls.kept,
    given: async ({ site }) => ({ deviceId: (await site.device({ type: deviceType.captureCamera, model: 1 })).id }),
  },
  {
    call: numberedCalls.captures,
    given: ({ world }) => ({ epoch: 'e', oldestSeq: 1, sentAt: world.clock.now(), modelId: '', captures: [] }),
    ...toCameras,
  },
  { call: numberedCalls.capturePicture, given: () => ({ epoch: 'e', seq: 1 }), ...toCameras },
  {
    call: numberedCalls.passingCapture,
    given: ({ world }) => ({
      id: newId(),
      sentAt: world.clock.now(),
      modelId: '',
      capture: { enteredAt: 1, capturedAt: 1, leftAt: 1, quality: 1, faceWidth: 100, template: null },
      picture: 'AAAA',
    }),
    ...toCameras,
  },
  {
    call: numberedCalls.lostCaptures,
    given: ({ world }) => ({ id: newId(), sentAt: world.clock.now(), count: 1, from: 1, to: 2 }),
    ...toCameras,
  },
  { call: numberedCalls.postedCapture, given: () => ({ eventId: 'e' }), ...toCameras },
]
