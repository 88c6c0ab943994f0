import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { drawnFace } from '../fixtures.ts'
import type { CallCase } from './case.ts'

export const cases: readonly CallCase[] = [
  // A photograph that was checked and that nobody has.
  {
    call: searchCalls.oneToN,
    given: async ({ site }) => ({ faceId: (await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId }),
  },
  // A file is no envelope: its code is its status.
  { call: peopleCalls.export, given: async ({ site }) => ({ ids: [(await site.person()).id] }), lastWord: [200, 200] },
  // Chosen by whoever exports: nothing of a park.
  { call: peopleCalls.exportProgress, given: () => ({ id: 'mine' }), foreign: false },
]
