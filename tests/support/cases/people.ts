import { associatedPersonCalls } from '@gatehouse/contract/people/relation'
import { specialCalls } from '@gatehouse/contract/people/special'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { personFormCalls } from '@gatehouse/contract/people/form'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

/** Create a custom field of the park's person form, beside the built-in ones. */
async function ownField({ site }: Ground): Promise<{ id: string; title: string }> {
  const { fields } = await site.call(personFormCalls.read, {})
  const answer = await site.call(personFormCalls.change, { body: { fields: [...fields, { title: `Field${fields.length}` }] } })
  return answer.fields.at(-1)!
}

export const cases: readonly CallCase[] = [
  // A file has no envelope: its code is its status.
  { call: customerCalls.expired, lastWord: [200, 200] },
  { call: peopleCalls.copy, given: async ({ site }) => ({ parkId: site.park.id, groupId: (await site.personGroup()).id }) },
  {
    call: personFormCalls.change,
    apart: true,
    given: async (ground) => {
      const { id, title } = await ownField(ground)
      return { id, fields: [{ id, title }] }
    },
  },
]

/** What the parameters of screens name. */
export const screens = {
  staffDetails: { id: ({ person }) => person.id },
  customerDetails: {
    id: async ({ site, group }, { clock }) =>
      (await site.person({ kind: 'customer', groupId: group.id, validTo: clock.now() + 30 * 86_400_000 })).id,
  },
  blackDetails: { id: specialCalls.read },
  associatedPersonDetail: { id: associatedPersonCalls.read },
} satisfies ScreenParameters
