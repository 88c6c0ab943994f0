/** The rules of the forms of visits (VAL-078 to VAL-098), each through the call. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { customFieldInputType, visitorSource, visitorStatus as status, visitReason } from '@gatehouse/contract/enums/visitors'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { clockAhead, type ClockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { refusalOf } from '../../../../../tests/support/refusal.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOBODY = '0198f3a0-2222-7000-8000-000000000b08'

let world: World
let time: ClockAhead
let reception: Reception
beforeAll(async () => {
  time = clockAhead()
  world = await startWorld({ clock: time.clock, jobsAsleep: true })
  reception = await createReception(world, { zone: 'Asia/Shanghai' })
})
afterAll(() => world?.stop())

const site = () => reception.site
const now = (): number => world.clock.now()

/** Return what a call is refused with: its code, and the rule by field. */
async function faultsOf(work: Promise<unknown>): Promise<{ code: number; fields: Record<string, string> }> {
  const { code, data } = await refusalOf(work)
  const fields = (data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []
  return { code, fields: Object.fromEntries(fields.map(({ path, rule }) => [path, rule])) }
}

describe('what a form must have', () => {
  test('a phone, a time and a reason [VAL-078, VAL-082, VAL-084]', async () => {
    for (const [field, change] of [
      ['phone', { phone: '' }],
      ['visitTime', { visitTime: undefined }],
      ['reason', { reason: undefined }],
    ] as const) {
      const { code, fields } = await faultsOf(reception.visit(change as never))
      expect(code).toBeGreaterThan(0)
      expect(fields).toHaveProperty(field)
    }
  })

  test('the host, where the configuration says so [VAL-083]', async () => {
    await reception.visit({ intervieweeId: null })
    await reception.configure({ intervieweeRequired: true })
    expect((await faultsOf(reception.visit({ intervieweeId: null }))).fields).toEqual({ intervieweeId: 'required' })
    expect((await faultsOf(reception.visit({ intervieweeId: NOBODY }))).fields).toEqual({ intervieweeId: 'unknown' })
    await reception.configure({ intervieweeRequired: false })
  })

  test('access rules and methods, unless a pass rule gives them or visitors pass no doors [VAL-085, VAL-086]', async () => {
    const bare = await createReception(world)
    const [rule] = (await bare.site.call(passRuleCalls.list, { query: { page: 1, size: 20 } })).content
    await bare.site.call(passRuleCalls.delete, { params: { id: rule!.id } })
    const { fields } = await faultsOf(bare.visit())
    expect(fields).toEqual({ accessGroupIds: 'required', passMethods: 'required' })
    const { id } = await bare.visit({ accessGroupIds: [bare.rule.id], passMethods: [accessMethod.card] })
    expect(await bare.read(id)).toMatchObject({ accessGroups: [{ id: bare.rule.id }], passMethods: [accessMethod.card] })
    expect((await faultsOf(bare.visit({ accessGroupIds: [bare.rule.id], passMethods: [accessMethod.cardAndFace] }))).fields).toEqual({
      passMethods: 'passMethodNotOffered',
    })
    const staffRule = await bare.site.strategy({ kind: 'staff' })
    const foreign = await faultsOf(bare.visit({ accessGroupIds: [staffRule.id], passMethods: [accessMethod.card] }))
    expect(foreign.fields).toEqual({ accessGroupIds: 'unknown' })
    await bare.configure({ needAuthorisation: false })
    expect(await bare.read((await bare.visit()).id)).toMatchObject({ status: status.checkedIn, permissionStatus: 0, personId: null })
  })

  test('a visitor at the desk has something to pass with', async () => {
    expect((await faultsOf(reception.visit({ cardNumber: null }))).fields).toEqual({ facePhoto: 'passNeedsCredential' })
  })
})

describe('times', () => {
  test('a visit that ends before it begins, or seven days after that, is refused with 900007 [VAL-087, VAL-088]', async () => {
    for (const span of [-MINUTE, 7 * DAY, 30 * DAY]) {
      const visitTime = now() + DAY
      expect(await faultsOf(reception.visit({ source: visitorSource.invitation, visitTime, visitEndTime: visitTime + span }))).toEqual({
        code: 900007,
        fields: { visitEndTime: 'code.900007' },
      })
    }
  })

  test('a millisecond less than seven days is a visit [VAL-087]', async () => {
    const visitTime = now() + HOUR
    const { id } = await reception.visit({ source: visitorSource.invitation, visitTime, visitEndTime: visitTime + 7 * DAY - 1 })
    expect(await reception.read(id)).toMatchObject({ validDays: null, visitEndTime: visitTime + 7 * DAY - 1 })
  })

  test('less than a day and more than 365 are refused [VAL-079]', async () => {
    for (const validDays of [0, 366, 1.5]) {
      const { code, fields } = await faultsOf(reception.visit({ visitEndTime: null, validDays }))
      expect(code).toBe(400)
      expect(fields).toHaveProperty('validDays')
    }
  })

  test('the authorisation ends at 23:59:59 of the last day in the zone of the park [VAL-080]', async () => {
    for (const validDays of [1, 30, 365]) {
      const { id } = await reception.visit({ visitEndTime: null, validDays })
      const { authorisationExpiry, visitTime } = await reception.read(id)
      const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' })
      const date = (moment: number): string => local.format(moment).slice(0, 10)
      expect(local.format(authorisationExpiry).slice(11)).toBe('23:59:59')
      expect((Date.parse(date(authorisationExpiry)) - Date.parse(date(visitTime))) / DAY).toBe(validDays - 1)
    }
  })

  test('a sign-in lead beyond 0 to 90 minutes is refused [VAL-081]', async () => {
    for (const signInLeadMinutes of [-1, 91])
      expect((await faultsOf(reception.configure({ signInLeadMinutes }))).fields).toHaveProperty('signInLeadMinutes')
  })

  test('a visitor is signed in from the lead on, and not earlier [VAL-081]', async () => {
    await reception.configure({ signInLeadMinutes: 90 })
    const visitTime = now() + 100 * MINUTE
    const { id } = await reception.visit({ source: visitorSource.invitation, visitTime, visitEndTime: visitTime + HOUR })
    const signIn = () => site().call(visitorCalls.signIn, { body: { visit: { id, status: status.notYetVisited } } })
    expect((await faultsOf(signIn())).fields).toEqual({ id: 'visitTooEarly' })
    await time.after(11 * MINUTE, signIn)
    expect((await reception.read(id)).status).toBe(status.checkedIn)
    await reception.configure({ signInLeadMinutes: 30 })
  })

  test('a reservation is not accepted once its time is over [BEH-171]', async () => {
    const { id } = await reception.reservation({ visitEndTime: now() + 5 * MINUTE })
    const accept = () => site().call(visitorCalls.accept, { body: { visits: [{ id, status: status.pendingReview }] } })
    expect((await faultsOf(time.after(10 * MINUTE, accept))).fields).toEqual({ id: 'appointmentExpired' })
    expect((await faultsOf(reception.visit({ visitTime: now() - 3 * HOUR, visitEndTime: now() - HOUR }))).fields).toEqual({
      visitEndTime: 'appointmentExpired',
    })
  })
})

describe('phones', () => {
  test('each companion has another one than the visitor and than all others [VAL-089, VAL-090]', async () => {
    const phone = newPhone()
    const other = newPhone()
    expect((await faultsOf(reception.visit({ phone, peers: [{ name: 'One', phone }] }))).fields).toEqual({ 'peers.0.phone': 'peerPhone' })
    const twice = [
      { name: 'One', phone: other },
      { name: 'Two', phone: other },
    ]
    expect((await faultsOf(reception.visit({ peers: twice }))).fields).toEqual({ 'peers.1.phone': 'peerPhone' })
  })

  test('that of a staff member is refused with 200446, also of a companion [VAL-091]', async () => {
    const phone = newPhone()
    await site().person({ phone })
    expect(await faultsOf(reception.visit({ phone }))).toEqual({ code: 200446, fields: { phone: 'code.200446' } })
    expect(await faultsOf(reception.visit({ peers: [{ name: 'One', phone }] }))).toEqual({
      code: 200446,
      fields: { 'peers.0.phone': 'code.200446' },
    })
  })

  test('that of a person of the watch list is refused, and a user who may not see the list does not learn why [VAL-092]', async () => {
    const phone = newPhone()
    const { id: groupId } = await site().call(specialCalls.createGroup, { body: { name: 'Watched' } })
    await site().call(specialCalls.create, { body: { name: 'Mallory', groupId, phone } })
    expect((await faultsOf(reception.visit({ phone }))).fields).toEqual({ phone: 'visitorPhoneWatchList' })
    const other = await world.session({ park: site().park, roleSign: 'other' })
    const body = { source: 1, name: 'Mallory', phone, reason: visitReason.other, visitTime: now() } as const
    expect((await faultsOf(other.call(visitorCalls.create, { body }))).fields).toEqual({ phone: 'visitorPhone' })
  })

  test('a visitor who is there and not signed off is neither invited nor registered again (200445) [VAL-095]', async () => {
    const phone = newPhone()
    const { id } = await reception.visit({ phone })
    for (const source of [visitorSource.invitation, visitorSource.temporary, visitorSource.reservation] as const)
      expect(await faultsOf(reception.visit({ phone, source, cardNumber: newPhone() }))).toEqual({
        code: 200445,
        fields: { phone: 'code.200445' },
      })
    await site().call(visitorCalls.signOff, { body: { visits: [{ id, status: status.checkedIn }], cardReturned: true } })
    await reception.visit({ phone })
  })

  test('of two desks that sign in the same phone at once, one is refused [VAL-095]', async () => {
    const phone = newPhone()
    const twice = [newPhone(), newPhone()].map((cardNumber) => reception.visit({ phone, cardNumber }))
    const results = await Promise.allSettled(twice)
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('decisions', () => {
  test('a refusal has a reason, which the visit shows [VAL-094]', async () => {
    const { id } = await reception.reservation()
    const refuse = (rejectReason: string) =>
      site().call(visitorCalls.refuse, { body: { visits: [{ id, status: status.pendingReview }], rejectReason } })
    expect((await faultsOf(refuse('  '))).fields).toEqual({ rejectReason: 'required' })
    await refuse('The host is away')
    expect(await reception.read(id)).toMatchObject({ status: status.refused, auditStatus: 'rejected', rejectReason: 'The host is away' })
  })

  test('a blocked visit is neither changed nor deleted, and its visitor passes no door until it is unblocked [VAL-098]', async () => {
    const { id } = await reception.visit()
    const block = (to: 0 | 1) => site().call(visitorCalls.block, { body: { ids: [id], status: to } })
    expect(await block(0)).toEqual({ changed: 1 })
    expect(await block(0)).toEqual({ changed: 0 })
    expect(await reception.read(id)).toMatchObject({ enabled: false, personId: null, permissionStatus: 2 })
    expect((await faultsOf(site().call(visitorCalls.change, { body: { id, remark: 'Changed' } }))).code).toBe(200224)
    await site().call(visitorCalls.signOff, { body: { visits: [{ id, status: status.checkedIn }], cardReturned: true } })
    expect((await faultsOf(site().call(visitorCalls.delete, { query: { ids: [id] } }))).code).toBe(200224)
    const other = await reception.visit()
    await site().call(visitorCalls.block, { body: { ids: [other.id], status: 0 } })
    await site().call(visitorCalls.block, { body: { ids: [other.id], status: 1 } })
    expect(await reception.read(other.id)).toMatchObject({ enabled: true, permissionStatus: 1 })
  })

  test('of several visits that are signed off at once, one that cannot be does not stop the others [BEH-174]', async () => {
    const [first, second, over] = [await reception.visit(), await reception.visit(), await reception.visit()]
    const read = (id: string) => ({ id, status: status.checkedIn })
    await site().call(visitorCalls.signOff, { body: { visits: [read(over.id)], cardReturned: true } })
    const answer = await site().call(visitorCalls.signOff, {
      body: { visits: [first, over, second].map(({ id }) => read(id)), cardReturned: true },
    })
    expect(answer).toMatchObject({ changed: 2, refused: [{ id: over.id, code: 200424 }] })
    expect(answer.refused[0]!.reason).not.toBe('')
  })

  test('without its card a visitor is signed off by force alone, and where nobody signs off too [BEH-174]', async () => {
    const { id } = await reception.visit()
    const signOff = (body: { cardReturned?: boolean; forced?: boolean }) =>
      site().call(visitorCalls.signOff, { body: { visits: [{ id, status: status.checkedIn }], ...body } })
    expect((await faultsOf(signOff({}))).fields).toEqual({ cardReturned: 'cardNotReturned' })
    await reception.configure({ openSignOff: false })
    expect((await faultsOf(signOff({ cardReturned: true }))).fields).toEqual({ forced: 'signOffClosed' })
    await signOff({ forced: true })
    await reception.configure({ openSignOff: true })
    expect(await reception.read(id)).toMatchObject({ status: status.signedOff, forced: true, cardReturned: false })
  })

  test('200401: a visit that is not there is refused at the field, without a toast', async () => {
    const visits = [{ id: NOBODY, status: status.pendingReview }]
    expect(await faultsOf(site().call(visitorCalls.accept, { body: { visits } }))).toEqual({ code: 200401, fields: { id: 'code.200401' } })
    expect((await faultsOf(reception.read(NOBODY))).code).toBe(200401)
  })
})

describe('the configuration', () => {
  test('at least one reason is offered, and only offered ones are taken [VAL-093]', async () => {
    expect((await faultsOf(reception.configure({ visitReasons: [] }))).fields).toHaveProperty('visitReasons')
    await reception.configure({ visitReasons: [visitReason.meeting] })
    expect((await faultsOf(reception.visit({ reason: visitReason.business }))).fields).toEqual({ reason: 'visitReason' })
    await reception.configure({ visitReasons: [...visitReason.values] })
  })

  test('certificate and card are demanded where the configuration says so [BEH-177]', async () => {
    await reception.configure({ certificateRequired: true, forcedCardIssue: true })
    expect((await faultsOf(reception.visit({ cardNumber: null }))).fields).toEqual({
      'certificateInfo.number': 'required',
      cardNumber: 'required',
    })
    const { id } = await reception.visit({ certificateInfo: { type: 'passport', number: 'P123' } })
    expect((await reception.read(id)).certificateInfo).toEqual({ type: 'passport', number: 'P123' })
    await reception.configure({ certificateRequired: false, forcedCardIssue: false })
  })

  test('own fields of every type are in the form in their order, checked, and in the list where they are flagged [BEH-178]', async () => {
    const own = await createReception(world)
    const field = (displayName: string, inputType: number, more: object = {}) => ({
      displayName,
      fieldName: displayName,
      inputType,
      ...more,
    })
    const { fields } = await own.site.call(visitorConfigurationCalls.changeForm, {
      body: {
        fields: [
          field('Plate', customFieldInputType.input, { order: 3, showInVisitorList: true }),
          field('Meal', customFieldInputType.select, { order: 1, values: 'Rice；Noodles', required: true }),
          field('Gate', customFieldInputType.radio, { order: 2, values: 'North;South' }),
          field('Tools', customFieldInputType.multiple, { order: 4, values: 'Laptop;Camera;Drone' }),
        ] as never,
      },
    })
    expect(fields.map(({ displayName, order }) => [displayName, order])).toEqual([
      ['Meal', 1],
      ['Gate', 2],
      ['Plate', 3],
      ['Tools', 4],
    ])
    const [meal, gate, plate, tools] = fields.map(({ id }) => id) as [string, string, string, string]
    expect((await faultsOf(own.visit())).fields).toEqual({ [`customFields.${meal}`]: 'required' })
    const wrong = [
      { id: meal, value: 'Soup' },
      { id: tools, value: 'Laptop;Hammer' },
    ]
    expect((await faultsOf(own.visit({ customFields: wrong }))).fields).toEqual({
      [`customFields.${meal}`]: 'invalid',
      [`customFields.${tools}`]: 'invalid',
    })
    const { id } = await own.visit({
      customFields: [
        { id: meal, value: 'Rice' },
        { id: gate, value: 'South' },
        { id: plate, value: '粤B 12345' },
        { id: tools, value: 'Drone；Laptop' },
      ],
    })
    expect((await own.read(id)).customFields.map(({ title, value }) => [title, value])).toEqual([
      ['Meal', 'Rice'],
      ['Gate', 'South'],
      ['Plate', '粤B 12345'],
      ['Tools', 'Drone;Laptop'],
    ])
    const { content } = await own.site.call(visitorCalls.list, { query: { page: 1, size: 20 } })
    expect(content[0]!.customFields).toEqual([{ id: plate, title: 'Plate', value: '粤B 12345' }])
    const twice = [field('A', customFieldInputType.input), { ...field('A', customFieldInputType.input), displayName: 'B' }]
    expect(await faultsOf(own.site.call(visitorConfigurationCalls.changeForm, { body: { fields: twice as never } }))).toEqual({
      code: 900004,
      fields: { 'fields.1.fieldName': 'code.900004' },
    })
    // A field that is removed takes its values along.
    await own.site.call(visitorConfigurationCalls.changeForm, { body: { fields: [fields[1]!] } })
    expect((await own.read(id)).customFields).toEqual([{ id: gate, title: 'Gate', value: 'South' }])
  })

  test('a pass rule for the host’s group counts before one for all, and one for the group above', async () => {
    const own = await createReception(world)
    const { id: top } = await own.site.call(peopleCalls.createGroup, { body: { name: 'Laboratory' } })
    const { id: below } = await own.site.call(peopleCalls.createGroup, { body: { name: 'Optics', parentId: top } })
    const [ofTop, ofBelow] = [await own.site.strategy({ kind: 'visitor' }), await own.site.strategy({ kind: 'visitor' })]
    const rule = (name: string, hostGroupIds: string[], id: string) =>
      own.site.call(passRuleCalls.create, { body: { name, hostGroupIds, accessGroupIds: [id], passMethods: [accessMethod.card] } })
    await rule('Laboratory', [top], ofTop.id)
    await rule('Optics', [below], ofBelow.id)
    expect(await faultsOf(rule('optics', [below], ofBelow.id))).toEqual({ code: 900004, fields: { name: 'code.900004' } })
    const match = async (groupId?: string) => {
      const intervieweeId = groupId === undefined ? undefined : (await own.site.person({ groupId })).id
      const { accessGroups } = await own.site.call(passRuleCalls.match, { query: { intervieweeId } })
      return accessGroups.map(({ id }) => id)
    }
    expect(await match()).toEqual([own.rule.id])
    expect(await match(top)).toEqual([ofTop.id])
    expect(await match(below)).toEqual([ofBelow.id])
  })
})

describe('personal data', () => {
  test('a photo needs consent where the park demands it', async () => {
    const own = await createReception(world)
    await own.site.call(privacyCalls.changePolicy, {
      body: {
        consentRequired: true,
        consentText: {},
        recordsOnErasure: 'pseudonymise',
        retention: { staff: null, customer: null, special: null, visitor: 30 },
      },
    })
    const facePhoto = await own.photo(await world.photographs.people[0]!.photo(1))
    expect((await faultsOf(own.visit({ facePhoto }))).fields).toEqual({ faceConsent: 'consent' })
    const { id } = await own.visit({ facePhoto, faceConsent: true })
    expect(await own.read(id)).toMatchObject({ faceConsent: true, permissionStatus: 1 })
  })

  test('a user who sees data masked sends the form back as it was shown, and changes nothing else', async () => {
    const { id } = await reception.visit({
      peers: [{ name: 'Jean Bartik', phone: newPhone(), idNumber: 'PEER-123456' }],
      certificateInfo: { type: 'passport', number: 'PASSPORT-1' },
    })
    const before = await reception.read(id)
    const masked = await world.session({ park: site().park, masking: true })
    const shown = await masked.call(visitorCalls.read, { query: { id } })
    expect(shown.name).toContain('*')
    const { name, phone, cardNumber, certificateInfo, peers, version } = shown
    await masked.call(visitorCalls.change, {
      body: {
        id,
        version,
        name,
        phone,
        cardNumber,
        certificateInfo,
        peers: peers.map((peer) => ({ id: peer.id, name: peer.name, phone: peer.phone, idNumber: peer.idNumber })),
        remark: 'Waits in the hall',
      },
    })
    const { remark, version: _, updatedAt: __, ...after } = await reception.read(id)
    expect(remark).toBe('Waits in the hall')
    const { remark: ___, version: ____, updatedAt: _____, ...was } = before
    expect(after).toEqual(was)
    const typed = await faultsOf(masked.call(visitorCalls.change, { body: { id, peers: [{ name: 'New', phone: '139****0000' }] } }))
    expect(typed.fields).toEqual({ phone: 'masked' })
  })

  test('a visit that is deleted takes its pictures along, and its records get a pseudonym', async () => {
    const facePhoto = await reception.photo(await world.photographs.people[1]!.photo(1))
    const { id } = await reception.visit({ facePhoto })
    expect((await faultsOf(site().call(visitorCalls.delete, { query: { ids: [id] } }))).code).toBe(200420)
    await site().call(visitorCalls.signOff, { body: { visits: [{ id, status: status.checkedIn }], cardReturned: true } })
    expect(await site().call(visitorCalls.delete, { query: { ids: [id] } })).toEqual({ deleted: 1 })
    expect((await faultsOf(reception.read(id))).code).toBe(200401)
  })

  test('visits are forgotten once the retention of the park is over', async () => {
    const own = await createReception(world)
    const { id } = await own.visit()
    const kept = await own.visit()
    await own.site.call(visitorCalls.signOff, { body: { visits: [{ id, status: status.checkedIn }], cardReturned: true } })
    const job = () => world.server.contexts.visitors.jobs!.find(({ name }) => name === 'visitors.eraseOld')!.run()
    await time.after(89 * DAY, job)
    expect((await own.read(id)).status).toBe(status.signedOff)
    await time.after(91 * DAY, job)
    expect((await faultsOf(own.read(id))).code).toBe(200401)
    expect((await own.read(kept.id)).status).toBe(status.checkedIn)
  })
})
