import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { associatedPersonCalls } from '@gatehouse/contract/people/relation'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import type { Ground, CallCase } from './case.ts'

/** Create an application of another park to that of the ground. Return it as the park of the ground sees it. */
async function received({ world, site }: Ground) {
  const other = await world.addPark()
  const { verificationCode: authorisationCode } = await site.call(areaCalls.verificationCode, { query: {} })
  const person = await other.person()
  const { id } = await other.call(relationCalls.apply, { body: { authorisationCode, personIds: [person.id] } })
  return { id, personId: person.id }
}

/** Create a park that can be applied to. Return its code and its id. */
async function addressOfAnother({ world }: Ground) {
  const other = await world.addPark()
  return { authorisationCode: (await other.call(areaCalls.verificationCode, { query: {} })).verificationCode, parkId: other.park.id }
}

export const cases: readonly CallCase[] = [
  { call: relationCalls.apply, given: addressOfAnother },
  { call: relationCalls.list, given: async (ground) => ({ id: (await received(ground)).id }) },
  {
    call: relationCalls.change,
    given: async (ground) => ({
      id: (
        await ground.site.call(relationCalls.apply, { body: { ...(await addressOfAnother(ground)), personIds: [], personGroupIds: [] } })
      ).id,
    }),
  },
  {
    call: relationCalls.delete,
    given: async (ground) => {
      const { id } = await received(ground)
      await ground.site.call(relationCalls.change, { body: { id, status: 'refused' } })
      return { id }
    },
  },
  { call: associatedPersonCalls.list, given: ({ site }) => ({ parkId: site.park.id }) },
  {
    call: associatedPersonCalls.read,
    given: async (ground) => {
      const { id, personId } = await received(ground)
      await ground.site.call(relationCalls.change, { body: { id, status: 'agreed' } })
      return { id: personId }
    },
  },
]
