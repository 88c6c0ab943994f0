import type { Call } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { customFieldInputType, visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums/visitors'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { messagingCalls } from '@gatehouse/contract/visitors/messaging'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { drawnFace } from '../fixtures.ts'
import type { CallCase, Ground } from './case.ts'

const HOUR = 3_600_000
let samples = 0
const nextPhone = (): string => `136${String(++samples).padStart(8, '0')}`

/** Create an access rule for visitors. */
const ruleId = async ({ site }: Ground): Promise<string> => (await site.strategy({ kind: 'visitor', methods: [1, 4, 5, 6] })).id

/** Create a host and a group of visitors. */
const sides = async ({ site }: Ground) => ({
  intervieweeId: (await site.person()).id,
  visitorGroupId: (await site.call(peopleCalls.createGroup, { body: { name: `Visitors_${++samples}`, type: 3 } })).id,
})

/** What a visit is given to pass. */
const rights = async (ground: Ground) => ({ accessGroupIds: [await ruleId(ground)], passMethods: [accessMethod.card] })

/** Return values for a new visit. */
async function visitForm(ground: Ground) {
  const now = ground.world.clock.now()
  const phone = nextPhone()
  return {
    ...(await rights(ground)),
    ...(await sides(ground)),
    name: `Visitor ${samples}`,
    phone,
    reason: visitReason.business,
    visitTime: now,
    visitEndTime: now + HOUR,
    cardNumber: phone,
    customFields: [],
    peers: [],
  }
}

async function visit(ground: Ground, source: 1 | 2 | 3, method: 4 | 6 = accessMethod.card): Promise<string> {
  return (await ground.site.call(visitorCalls.create, { body: { ...(await visitForm(ground)), source, passMethods: [method] } })).id
}
/** Create a visitor with a QR pass. */
const withPass = async (ground: Ground) => ({ id: await visit(ground, visitorSource.temporary, accessMethod.qrCode) })

/** Create a reservation that waits for its review. */
const pending = (ground: Ground): Promise<string> => visit(ground, visitorSource.reservation)
async function pendingVisits(ground: Ground) {
  const id = await pending(ground)
  return { id, visits: [{ id, status: visitorStatus.pendingReview }] }
}
/** Create a visit that is over. */
async function ended(ground: Ground): Promise<string> {
  const id = await pending(ground)
  await ground.site.call(visitorCalls.revoke, { body: { visits: [{ id, status: visitorStatus.pendingReview }] } })
  return id
}

/** Create the groups that a pass rule names. */
const groups = async (ground: Ground) => ({
  hostGroupIds: [(await ground.site.personGroup()).id],
  visitorGroupIds: [(await sides(ground)).visitorGroupId],
})

async function passRule(ground: Ground): Promise<{ id: string; accessGroupIds: string[] }> {
  const accessGroupIds = [await ruleId(ground)]
  const body = { name: `Passes ${++samples}`, accessGroupIds, passMethods: [accessMethod.card] }
  return { ...(await ground.site.call(passRuleCalls.create, { body })), accessGroupIds }
}

export const cases: readonly CallCase[] = [
  { call: visitorCalls.read, given: async (ground) => ({ id: await pending(ground) }) },
  { call: visitorCalls.list, given: sides },
  { call: visitorCalls.create, given: async (ground) => ({ ...(await visitForm(ground)), id: await pending(ground) }) },
  {
    call: visitorCalls.change,
    given: async (ground) => {
      const id = await pending(ground)
      return { id, ...(await visitForm(ground)) }
    },
  },
  { call: visitorCalls.delete, given: async (ground) => ({ ids: [await ended(ground)] }) },
  { call: visitorCalls.block, given: async (ground) => ({ ids: [await pending(ground)], status: 0 }) },
  { call: visitorCalls.accept, given: pendingVisits },
  { call: visitorCalls.refuse, given: pendingVisits },
  { call: visitorCalls.revoke, given: pendingVisits },
  {
    call: visitorCalls.signIn,
    given: async (ground) => {
      const id = await visit(ground, visitorSource.invitation)
      return { id, visit: { id, status: visitorStatus.notYetVisited } }
    },
  },
  {
    call: visitorCalls.signOff,
    given: async (ground) => {
      const id = await visit(ground, visitorSource.temporary)
      return { id, visits: [{ id, status: visitorStatus.checkedIn }], forced: true }
    },
  },
  { call: visitorCalls.photo, given: async () => ({ file: await drawnFace() }) },
  { call: visitorCalls.pass, given: withPass },
  { call: visitorCalls.renewPass, given: withPass },
  { call: visitorConfigurationCalls.change, apart: true, given: () => ({ autoSignOffAtDevices: [], visitorMachines: [] }) },
  {
    call: visitorConfigurationCalls.changeForm,
    apart: true,
    given: async ({ site }) => {
      const field = { displayName: 'Company', fieldName: `company${++samples}`, inputType: customFieldInputType.input }
      const { fields } = await site.call(visitorConfigurationCalls.changeForm, { body: { fields: [field] } })
      return { id: fields[0]!.id, fields: [{ id: fields[0]!.id, ...field }] }
    },
  },
  // No account is set up in the park of a case.
  {
    call: messagingCalls.test,
    needs: { channel: 'sms', to: '13800000001', occasion: 'approve' },
    lastWord: [400, 400],
    foreign: false,
  },
  { call: passRuleCalls.read, given: async (ground) => ({ id: (await passRule(ground)).id }) },
  {
    call: passRuleCalls.create,
    given: async (ground) => ({ accessGroupIds: [await ruleId(ground)], ...(await groups(ground)) }),
  },
  { call: passRuleCalls.change, given: async (ground) => ({ ...(await passRule(ground)), ...(await groups(ground)) }) },
  { call: passRuleCalls.match, given: sides },
  { call: passRuleCalls.delete, given: async (ground) => ({ id: (await passRule(ground)).id }) },
]

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [visitorCalls.read, passRuleCalls.read]
