import type { Call } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { drawnFace } from '../fixtures.ts'
import type { Ground, CallCase } from './case.ts'

let samples = 0
const word = (): string => `Sample${++samples}`

async function application({ site }: Ground): Promise<string> {
  const { id: groupId } = await site.personGroup()
  return (await site.call(enrolmentCalls.apply, { body: { system: 'Samples', reference: word(), name: word(), groupId } })).id
}

async function link({ site }: Ground): Promise<{ id: string; token: string }> {
  const { id: groupId } = await site.personGroup()
  const { id, url } = await site.call(enrolmentCalls.createLink, { body: { groupId } })
  return { id, token: url.slice(url.indexOf('#') + 1) }
}
const tokenOf = async (ground: Ground) => ({ token: (await link(ground)).token })
/** Create a link. Return the token its page sends in its header. */
export const linkTokenIn = async (ground: Ground): Promise<string> => (await link(ground)).token

export const cases: readonly CallCase[] = [
  {
    call: enrolmentCalls.decide,
    given: async (ground) => ({ ids: [await application(ground)], state: 'rejected', reason: 'Nobody knows them' }),
  },
  { call: enrolmentCalls.apply, given: () => ({ reference: word() }) },
  { call: enrolmentCalls.revokeLink, given: async (ground) => ({ id: (await link(ground)).id }) },
  { call: enrolmentCalls.open, given: tokenOf },
  {
    call: enrolmentCalls.submitSecond,
    // The link itself determines the person.
    foreign: false,
    given: async (ground) => {
      const linkToken = await linkTokenIn(ground)
      const body = { name: word(), workNumber: word() }
      const { id } = await ground.world.client.as(null).call(enrolmentCalls.submit, { body, linkToken, file: await drawnFace() })
      return { linkToken, applicationId: id }
    },
  },
  { call: enrolmentCalls.submit, given: async (ground) => ({ linkToken: await linkTokenIn(ground), name: word(), workNumber: word() }) },
]

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [enrolmentCalls.revokeLink, enrolmentCalls.decide]
