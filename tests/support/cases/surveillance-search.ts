import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
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
    call: faceSearchCalls.savePositions,
    given: async ({ site }) => ({ devices: [{ deviceId: (await site.device()).id, x: 0.5, y: 0.5 }] }),
  },
]
