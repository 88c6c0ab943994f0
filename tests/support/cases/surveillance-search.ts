import { deviceType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { replayCalls } from '@gatehouse/contract/surveillance/replay'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { drawnFace } from '../fixtures.ts'
import type { CallCase, Ground } from './case.ts'

/** One face, of an upload: exactly one may be named. */
const probe = async ({ world, site }: Ground) => ({
  faceId: (await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId,
  personId: undefined,
  captureId: undefined,
  startTime: world.clock.now() - 86_400_000,
  endTime: world.clock.now(),
})

export const cases: readonly CallCase[] = [
  { call: faceSearchCalls.search, given: probe },
  { call: faceSearchCalls.track, given: probe },
  {
    call: replayCalls.compare,
    given: async ({ site }) => ({
      deviceIds: [(await site.device({ type: deviceType.captureCamera, model: 1 })).id],
      personGroupIds: [(await site.personGroup()).id],
      periods: ALWAYS_OPEN,
    }),
  },
  {
    call: faceSearchCalls.savePositions,
    given: async ({ site }) => ({ devices: [{ deviceId: (await site.device()).id, x: 0.5, y: 0.5 }] }),
  },
]
