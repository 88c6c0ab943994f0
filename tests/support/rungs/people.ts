import { peopleCalls } from '@gatehouse/contract/people/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { personFormCalls } from '@gatehouse/contract/people/form'
import type { Ground, Rung } from './rungs.ts'

/** A field of the park's own person form, beside those it has. */
async function ownField({ site }: Ground): Promise<{ id: string; title: string }> {
  const { fields } = await site.call(personFormCalls.read, {})
  const answer = await site.call(personFormCalls.change, { body: { fields: [...fields, { title: `Field${fields.length}` }] } })
  return answer.fields.at(-1)!
}

export const peopleRungs: readonly Rung[] = [
  // A file is no envelope: its code is its status.
  { call: customerCalls.expired, lastWord: [200, 200] },
  { call: peopleCalls.copy, given: async ({ site }) => ({ parkId: site.park.id, groupId: (await site.personGroup()).id }) },
  {
    call: personFormCalls.change,
    given: async (ground) => {
      const { id, title } = await ownField(ground)
      return { id, fields: [{ id, title }] }
    },
  },
]
