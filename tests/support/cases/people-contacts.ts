import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { drawnFace } from '../fixtures.ts'
import type { Ground, CallCase } from './case.ts'

const fields = async ({ site }: Ground) => ({
  name: 'Somebody',
  phone: '13800138000',
  relation: 1 as const,
  gender: 1 as const,
  photo: (await site.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId,
})

/** Create a person of the park and a contact of theirs. */
async function family(ground: Ground): Promise<{ personId: string; contactId: string }> {
  const { id: personId } = await ground.site.person()
  return { personId, contactId: (await ground.site.call(contactCalls.create, { body: { personId, ...(await fields(ground)) } })).id }
}

const contact = async (ground: Ground): Promise<string> => (await family(ground)).contactId

export const cases: readonly CallCase[] = [
  { call: contactCalls.read, given: async (ground) => ({ id: await contact(ground) }) },
  { call: contactCalls.create, given: async (ground) => ({ ...(await fields(ground)), personId: (await ground.site.person()).id }) },
  { call: contactCalls.change, given: async (ground) => ({ ...(await fields(ground)), id: await contact(ground) }) },
  { call: contactCalls.delete, given: async (ground) => ({ id: await contact(ground) }) },
  { call: deviceProtocolCalls.verify, given: async (ground) => ({ ...(await family(ground)), passId: 'ab12'.repeat(4) }) },
]
