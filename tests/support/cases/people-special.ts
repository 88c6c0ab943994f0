import { personGroupType } from '@gatehouse/contract/enums/people'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { drawnFace } from '../fixtures.ts'
import type { Ground, CallCase } from './case.ts'

const groupIn = async ({ site }: Ground): Promise<string> => (await site.personGroup({ type: personGroupType.blacklist })).id
const personIn = async (ground: Ground): Promise<{ id: string; groupId: string }> => {
  const groupId = await groupIn(ground)
  return { id: (await ground.site.person({ kind: 'special', groupId })).id, groupId }
}
const oneOf = async (ground: Ground) => ({ id: (await personIn(ground)).id })
const someOf = async (ground: Ground) => ({ ids: [(await personIn(ground)).id] })
/** Upload a photo that belongs to no person yet. */
const photographIn = async ({ site }: Ground) => ({
  facePhotos: [(await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId],
})

/** Persons of the watch list and their groups belong to one park. */
export const cases: readonly CallCase[] = [
  { call: specialCalls.list, given: async (ground) => ({ groupId: await groupIn(ground) }) },
  { call: specialCalls.read, given: oneOf },
  { call: specialCalls.create, given: async (ground) => ({ ...(await photographIn(ground)), groupId: await groupIn(ground) }) },
  { call: specialCalls.change, given: async (ground) => ({ ...(await photographIn(ground)), ...(await personIn(ground)) }) },
  { call: specialCalls.deleteBatch, given: someOf },
  { call: specialCalls.move, given: async (ground) => ({ ...(await someOf(ground)), groupId: await groupIn(ground) }) },
  { call: specialCalls.status, given: someOf },
  { call: specialCalls.createGroup, given: async (ground) => ({ parentId: await groupIn(ground) }) },
  { call: specialCalls.changeGroup, given: async (ground) => ({ id: await groupIn(ground), parentId: await groupIn(ground) }) },
  { call: specialCalls.deleteGroup, given: async (ground) => ({ id: await groupIn(ground) }) },
  { call: specialCalls.topGroup, given: async (ground) => ({ id: await groupIn(ground) }) },
  { call: peopleCalls.groupTree, given: ({ site }) => ({ parkId: site.park.id }) },
  {
    call: peopleCalls.changeGroup,
    given: async ({ site }) => ({ id: (await site.personGroup()).id, parentId: (await site.personGroup()).id }),
  },
  { call: peopleCalls.topGroup, given: async ({ site }) => ({ id: (await site.personGroup()).id }) },
]
