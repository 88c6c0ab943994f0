import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { drawnFace } from '../fixtures.ts'
import type { CallCase } from './case.ts'

export const cases: readonly CallCase[] = [
  // A photo that was checked and belongs to no person.
  {
    call: searchCalls.oneToN,
    given: async ({ site }) => ({ faceId: (await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId }),
  },
  // A file has no envelope: its code is its status.
  { call: peopleCalls.export, given: async ({ site }) => ({ ids: [(await site.person()).id] }), lastWord: [200, 200] },
  // An id chosen by the user who exports: it names nothing of a park.
  { call: peopleCalls.exportProgress, given: () => ({ id: 'mine' }), foreign: false },
]
