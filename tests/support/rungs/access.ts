import { accessGroupCalls } from '@gatehouse/contract/access/groups'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { accessLookupCalls } from '@gatehouse/contract/access/lookups'
import type { Ground, Rung } from './rungs.ts'

let samples = 0

/** A group of its own: one that strategies name cannot be deleted. */
async function spareGroup({ site }: Ground): Promise<{ id: string }> {
  const { id } = await site.call(accessGroupCalls.create, { body: { name: `Spare ${++samples}` } })
  return { id }
}

export const accessRungs: readonly Rung[] = [
  { call: accessGroupCalls.delete, given: spareGroup },
  { call: accessLookupCalls.checkPassword, given: () => ({ personalPassword: '86420' }) },
  // Either `methods` or `accessType` must be there.
  { call: accessCalls.createStrategy, needs: { methods: [1, 4] } },
  // A drawn face is no calendar.
  { call: accessCalls.readCalendar, lastWord: [400, 400] },
]
