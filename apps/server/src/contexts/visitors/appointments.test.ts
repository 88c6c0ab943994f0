/** Pages of visitors and hosts: what links open, that a page says nothing of whom the register knows, and e-mails. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { passDirection } from '@gatehouse/contract/enums'
import { visitorSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { VISIT_MOMENT_MAX } from '@gatehouse/contract/visitors/fields'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startMailServer, type MailServer } from '../../../../../tests/support/mail-server.ts'
import { until } from '../../../../../tests/support/until.ts'
import { passAt } from './testing/passage.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'

const HOUR = 3_600_000
let later = 0
const clock = { now: () => Date.now() + later }
/** Advance the clock for the rest of the test. */
function pass(milliseconds: number): void {
  later += milliseconds
  onTestFinished(() => void (later -= milliseconds))
}

let world: World
let mail: MailServer
/** A client without an account. */
let phone: Client
let reception: Reception
beforeAll(async () => {
  mail = await startMailServer()
  world = await startWorld({ clock, config: { smtpUrl: mail.url } })
  phone = createClient(world.url)
  reception = await createReception(world)
})
afterAll(async () => {
  await world?.stop()
  await mail?.stop()
})

type LinkForm = InputOf<(typeof visitorLinkCalls)['createLink']['body']>
const tokenIn = (url: string): string => url.slice(url.indexOf('.', url.indexOf('#')) + 1)
async function linkFor(body: LinkForm, at = reception) {
  const made = await at.site.call(visitorLinkCalls.createLink, { body: { address: 'https://gate.example.org/', ...body } })
  return { ...made, linkToken: tokenIn(made.url) }
}
const form = (more: object = {}) => ({
  key: crypto.randomUUID(),
  name: 'Katherine Johnson',
  phone: newPhone(),
  reason: 1 as const,
  visitTime: clock.now() + HOUR,
  visitEndTime: clock.now() + 2 * HOUR,
  ...more,
})
const submit = (linkToken: string, body: InputOf<(typeof appointmentCalls)['submit']['body']>) =>
  phone.ask(appointmentCalls.submit, { linkToken, body })
async function submitted(linkToken: string, more: object = {}): Promise<string> {
  const answer = await submit(linkToken, form(more))
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 0 })
  return answer.data.token
}
const state = async (linkToken: string) => phone.call(appointmentCalls.status, { linkToken, body: {} })
const visitNamed = async (keyword: string, at = reception) =>
  (await at.site.call(visitorCalls.list, { query: { keyword, page: 1, size: 20 } })).content[0]!
const ended = { status: 400, data: { fields: [{ path: 'token', rule: 'linkEnded' }] } }

test('a code at the gate is valid for a day, an invitation for two hours; both end when a user ends them [BEH-176]', async () => {
  const park = await linkFor({ kind: 'park' })
  expect(park.url).toMatch(/^https:\/\/gate\.example\.org\/visit\.html#park\../)
  expect(Math.round((park.expiresAt - clock.now()) / HOUR)).toBe(24)
  const invitation = await linkFor({ kind: 'invitation' })
  expect(Math.round((invitation.expiresAt - clock.now()) / HOUR)).toBe(2)
  const { linkToken } = await linkFor({ kind: 'park' })
  const { content } = await reception.site.call(visitorLinkCalls.links, { query: { kind: 'park' } })
  await reception.site.call(visitorLinkCalls.revokeLink, { params: { id: content[0]!.id } })
  expect(await phone.ask(appointmentCalls.open, { linkToken, body: {} })).toMatchObject(ended)
  pass(3 * HOUR)
  expect(await phone.ask(appointmentCalls.open, { linkToken: invitation.linkToken, body: {} })).toMatchObject(ended)
  expect(await phone.ask(appointmentCalls.open, { linkToken: park.linkToken, body: {} })).toMatchObject({ status: 200, code: 0 })
})

test('a visitor reserves with a photo, sees the state, and cancels; the same again makes no second visit', async () => {
  const { linkToken } = await linkFor({ kind: 'park' })
  expect(await phone.call(appointmentCalls.open, { linkToken, body: {} })).toMatchObject({ invitation: null, hostRequired: false })
  const { url } = await phone.call(appointmentCalls.photo, { linkToken, body: {}, file: await portrait('one') })
  const sent = form({ name: 'Annie Easley', facePhoto: url, faceConsent: true, host: { name: ' ada LOVELACE ' } })
  const token = (await submit(linkToken, sent)).data.token
  expect((await submit(linkToken, sent)).data.token).toBe(token)
  const row = await visitNamed('Annie Easley')
  expect(row).toMatchObject({ source: 1, reservationChannel: 4, status: visitorStatus.pendingReview, intervieweeId: reception.host.id })
  expect(row).toMatchObject({ deskChecks: [], facePhoto: expect.stringMatching(/^\/files\//) })
  expect(await state(token)).toMatchObject({ state: 'waiting', hostName: 'ada LOVELACE', canCancel: true, pass: null })
  expect((await phone.call(appointmentCalls.cancel, { linkToken: token, body: {} })).state).toBe('cancelled')
  expect((await phone.call(appointmentCalls.cancel, { linkToken: token, body: {} })).state).toBe('cancelled')
  expect(await state(token)).toMatchObject({ state: 'cancelled', canCancel: false })
  expect((await reception.site.call(visitorLinkCalls.links, { query: { kind: 'park' } })).content[0]).toMatchObject({ visits: 1 })
})

test('an invitation completes the visit a user made, once', async () => {
  const phoneOfVisit = newPhone()
  const { id } = await reception.visit({ source: visitorSource.invitation, name: 'Mary Jackson', phone: phoneOfVisit, cardNumber: null })
  const { linkToken } = await linkFor({ kind: 'invitation', visitId: id })
  expect(await phone.call(appointmentCalls.open, { linkToken, body: {} })).toMatchObject({ invitation: { name: 'Mary Jackson' } })
  const staff = newPhone()
  await reception.site.person({ phone: staff })
  const { url: facePhoto } = await phone.call(appointmentCalls.photo, { linkToken, body: {}, file: await portrait('one') })
  const peers = [
    { name: 'Dorothy Vaughan', phone: newPhone(), facePhoto },
    { name: 'Known', phone: staff, facePhoto },
  ]
  const sent = { key: crypto.randomUUID(), email: 'mary@example.org', peers, faceConsent: true, phone: '1' + newPhone().slice(1) }
  const token = (await submit(linkToken, sent)).data.token
  expect(await reception.read(id)).toMatchObject({
    email: 'mary@example.org',
    phone: phoneOfVisit,
    peerCount: 2,
    status: visitorStatus.notYetVisited,
  })
  const visit = await reception.read(id)
  expect(visit.deskChecks).toEqual(['phone'])
  // A companion whom the desk has to check is known at no door.
  expect(visit.peers.map((peer) => peer.facePhoto !== '')).toEqual([true, false])
  expect((await submit(linkToken, sent)).data.token).toBe(token)
  expect(await submit(linkToken, { ...sent, key: crypto.randomUUID() })).toMatchObject(ended)
  expect(await phone.ask(appointmentCalls.open, { linkToken, body: {} })).toMatchObject(ended)
  expect((await state(token)).state).toBe('accepted')
})

describe('a page says nothing of whom the register knows', () => {
  test.each([{ approvalSwitch: true }, { approvalSwitch: false }, { approvalSwitch: false, hostConfirms: true }])('%j', async (rules) => {
    const at = await createReception(world)
    await at.configure({ ...rules, intervieweeRequired: true })
    const [watched, present] = [newPhone(), newPhone()]
    const { id: groupId } = await at.site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    await at.site.call(specialCalls.create, { body: { name: 'Watched', phone: watched, workNumber: 'W-1', groupId } })
    await at.visit({ phone: present })
    const staff = newPhone()
    await at.site.person({ name: 'Known Staff', phone: staff })
    const { linkToken } = await linkFor({ kind: 'park' }, at)
    const host = { name: at.host.name }
    const cases = {
      normal: form({ name: 'Case normal', host }),
      staff: form({ name: 'Case staff', host, phone: staff }),
      watched: form({ name: 'Case watched', host, phone: watched }),
      present: form({ name: 'Case present', host, phone: present }),
      stranger: form({ name: 'Case stranger', host: { name: 'Nobody Here' } }),
      peer: form({ name: 'Case peer', host, peers: [{ name: 'Peer', phone: staff }] }),
    }
    const seen = new Set<string>()
    for (const sent of Object.values(cases)) {
      const { token, ...answer } = (await submit(linkToken, sent)).data
      const { name: _, hostName: __, visitorNumber: ___, visitTime: _v, visitEndTime: _e, ...shown } = await state(token)
      seen.add(JSON.stringify([answer, shown]))
    }
    expect([...seen]).toHaveLength(1)
    const checks: Record<string, string[]> = {}
    for (const [name, sent] of Object.entries(cases)) checks[name] = (await visitNamed(sent.name, at)).deskChecks
    expect(checks).toEqual({
      normal: [],
      staff: ['phone'],
      watched: ['phone'],
      present: ['present'],
      stranger: ['host'],
      peer: ['phone'],
    })
    expect((await visitNamed('Case watched', at)).watchList).toMatchObject([{ by: 'phone' }])
    expect((await visitNamed('Case stranger', at)).visiteeName).toBe('Nobody Here')
  })
})

describe('hostile requests', () => {
  test('a visit beyond the calendar is refused by field, on the page and at the desk', async () => {
    const { linkToken } = await linkFor({ kind: 'park' })
    const { site } = reception
    for (const visitTime of [VISIT_MOMENT_MAX + 1, 253_402_300_800_000, 400_000_000_000_000, 8_640_000_000_000_000]) {
      const refused = { status: 400, data: { fields: [{ path: 'visitTime', rule: 'moment' }] } }
      expect(await submit(linkToken, form({ visitTime, visitEndTime: null })), String(visitTime)).toMatchObject(refused)
      const visit = { source: visitorSource.reservation, name: 'Far', phone: newPhone(), reason: 1 as const }
      expect(await site.ask(visitorCalls.create, { body: { ...visit, visitTime, validDays: 30 } }), String(visitTime)).toMatchObject(
        refused,
      )
    }
    expect(await submit(linkToken, form({ visitTime: VISIT_MOMENT_MAX, visitEndTime: VISIT_MOMENT_MAX }))).toMatchObject({ code: 0 })
    await submitted(linkToken, { visitTime: VISIT_MOMENT_MAX, visitEndTime: null })
  })

  const link = () => linkFor({ kind: 'park' })

  test('a token opens the pages of its kind alone', async () => {
    const { linkToken } = await link()
    const token = await submitted(linkToken)
    const others = [
      phone.ask(appointmentCalls.status, { linkToken, body: {} }),
      phone.ask(appointmentCalls.cancel, { linkToken, body: {} }),
      phone.ask(appointmentCalls.hostOpen, { linkToken: token, body: {} }),
      phone.ask(appointmentCalls.hostAccept, { linkToken: token, body: { status: 5 } }),
      phone.ask(appointmentCalls.hostRefuse, { linkToken: token, body: { status: 5, reason: 'no' } }),
      phone.ask(appointmentCalls.open, { linkToken: token, body: {} }),
      phone.ask(appointmentCalls.open, { linkToken: 'x'.repeat(43), body: {} }),
      submit(token, form()),
      phone.ask(appointmentCalls.photo, { linkToken: token, body: {}, file: Buffer.from('x') }),
    ]
    for (const answer of await Promise.all(others)) expect(answer).toMatchObject(ended)
  })

  test('wrong tokens of one address are bounded, and so is what is submitted through a link', async () => {
    const from = { headers: { 'x-forwarded-for': '192.0.2.77' } }
    const statuses: number[] = []
    for (let at = 0; at < 62; at++) {
      const headers = { ...from.headers, 'content-type': 'application/json', 'x-link-token': `wrong-token-${at}-000000000000` }
      statuses.push((await fetch(world.url + appointmentCalls.open.url, { method: 'POST', headers, body: '{}' })).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429])
  })

  test('bodies that are too large or have unknown keys, garbage for photos, and masked names are refused', async () => {
    const { linkToken } = await link()
    expect(await submit(linkToken, form({ status: 1 }))).toMatchObject({ status: 400, data: { fields: [{ rule: 'unknownField' }] } })
    expect(await submit(linkToken, form({ source: 2 }))).toMatchObject({ status: 400 })
    expect(await submit(linkToken, form({ remark: 'x'.repeat(2_000_000) }))).toMatchObject({ status: 413 })
    expect(await submit(linkToken, form({ name: 'G*r' }))).toMatchObject({ status: 400, data: { fields: [{ path: 'name' }] } })
    expect(await submit(linkToken, form({ name: null }))).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'name', rule: 'required' }] },
    })
    expect(await submit(linkToken, form({ facePhoto: '/files/none' }))).toMatchObject({ status: 400 })
    for (const of of ['face', 'field'] as const) {
      const answer = await phone.ask(appointmentCalls.photo, { linkToken, body: { of }, file: Buffer.from('no picture') })
      expect(answer).toMatchObject({ code: 200205 })
    }
    expect(await submit(linkToken, form({ visitTime: clock.now() - 48 * HOUR, visitEndTime: clock.now() - 47 * HOUR }))).toMatchObject({
      status: 400,
    })
  })
})

test('a host accepts or refuses; opening the link, which a mail program may do, changes nothing', async () => {
  await reception.configure({ approvalSwitch: false, hostConfirms: true })
  onTestFinished(() => reception.configure({ approvalSwitch: true, hostConfirms: false }))
  const { linkToken: park } = await linkFor({ kind: 'park' })
  for (const [name, decide] of [
    ['Accepted One', true],
    ['Refused One', false],
  ] as const) {
    const token = await submitted(park, { name, host: { name: reception.host.name } })
    const { id, status } = await visitNamed(name)
    expect(status).toBe(visitorStatus.toConfirm)
    const { url, linkToken } = await linkFor({ kind: 'host', visitId: id })
    await fetch(url.replace('https://gate.example.org', world.url))
    expect((await fetch(world.url + appointmentCalls.hostAccept.url)).status).toBe(404)
    expect(await phone.call(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject({
      visitorName: name,
      canDecide: true,
      status,
    })
    expect((await reception.read(id)).status).toBe(visitorStatus.toConfirm)
    if (decide) await phone.call(appointmentCalls.hostAccept, { linkToken, body: { status } })
    else await phone.call(appointmentCalls.hostRefuse, { linkToken, body: { status, reason: 'On leave' } })
    expect(await state(token)).toMatchObject({ state: decide ? 'accepted' : 'refused' })
    expect(await phone.ask(appointmentCalls.hostAccept, { linkToken, body: { status } })).toMatchObject({ code: 200420 })
    expect(await phone.call(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject({ canDecide: false })
  }
  expect((await visitNamed('Refused One')).rejectReason).toBe('On leave')
})

test('who has left the company decides on no visit any more', async () => {
  const leaver = await reception.site.person({ name: 'Dorothy Vaughan' })
  const { id, status } = await reception.reservation({ cardNumber: null, intervieweeId: leaver.id })
  const { linkToken } = await linkFor({ kind: 'host', visitId: id })
  expect(await phone.call(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject({ canDecide: true })
  await reception.site.call(peopleCalls.delete, { query: { ids: [leaver.id] } })
  await world.settled()
  expect(await phone.ask(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject(ended)
  expect(await phone.ask(appointmentCalls.hostAccept, { linkToken, body: { status: status as 5 } })).toMatchObject(ended)
  expect((await reception.read(id)).status).toBe(visitorStatus.pendingReview)
})

test('what the desk has to check is not for the host', async () => {
  const { linkToken: park } = await linkFor({ kind: 'park' })
  await submitted(park, { name: 'To Check', host: { name: 'Nobody Here' } })
  const { id, status } = await visitNamed('To Check')
  const { linkToken } = await linkFor({ kind: 'host', visitId: id })
  expect(await phone.call(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject({ canDecide: false })
  expect(await phone.ask(appointmentCalls.hostAccept, { linkToken, body: { status } })).toMatchObject({ code: 200420 })
})

const mailTo = (to: string) => until(`an e-mail to ${to}`, async () => mail.received.find((one) => one.to.includes(to)))
const bodyOf = (raw: string): string => {
  const text = raw.slice(raw.indexOf('\r\n\r\n'))
  if (/base64/i.test(raw)) return Buffer.from(text, 'base64').toString('utf8')
  return text.replace(/=\r\n/g, '').replace(/=3D/g, '=')
}

test('visitors are sent decisions with a link to the state, and invitations with theirs', async () => {
  /** Return the text of the mail, and the file for the calendar beside it. */
  const partsOf = (raw: string): [text: string, calendar: string] => {
    const boundary = /boundary="([^"]+)"/.exec(raw)?.[1]
    expect(boundary, raw).toBeDefined()
    const parts = raw.split(`--${boundary}`).slice(1, 3)
    const [text, calendar] = parts.map(bodyOf)
    return [text!, calendar!.replaceAll('\r\n ', '')]
  }
  const { linkToken } = await linkFor({ kind: 'park' })
  await submitted(linkToken, { name: 'Mailed One', email: 'one@example.org' })
  const { id, status } = await visitNamed('Mailed One')
  await reception.site.call(visitorCalls.accept, { body: { visits: [{ id, status }] } })
  const [accepted, calendar] = partsOf((await mailTo('one@example.org')).raw)
  const token = /visit\.html#visit\.([\w-]+)/.exec(accepted)?.[1]
  expect(token, accepted).toBeDefined()
  expect(accepted).not.toContain('Mailed One')
  // The entry leads to the same page.
  expect(calendar).toContain('BEGIN:VCALENDAR')
  expect(/URL:.+visit\.html#visit\.([\w-]+)/.exec(calendar)?.[1], calendar).toBe(token)
  expect(await state(token!)).toMatchObject({ state: 'accepted', name: 'Mailed One' })

  const invited = await reception.visit({ source: visitorSource.invitation, phone: newPhone(), email: 'two@example.org', cardNumber: null })
  expect(await linkFor({ kind: 'invitation', visitId: invited.id, mail: true })).toMatchObject({ mailed: true })
  const [invitation, entry] = partsOf((await mailTo('two@example.org')).raw)
  expect(invitation).toContain('visit.html#invitation.')
  expect(entry).toMatch(/DTSTART:\d{8}T\d{6}Z/)
})

describe('a host with an e-mail address', () => {
  const mailsTo = (to: string) => mail.received.filter((one) => one.to.includes(to)).map(({ raw }) => bodyOf(raw))
  const tokenOf = (text: string): string => /visit\.html#host\.([\w-]+)/.exec(text)![1]!

  /** Make a park where hosts confirm, and a host. */
  async function hosted() {
    const at = await createReception(world)
    await at.configure({ approvalSwitch: false, hostConfirms: true })
    const email = `host-${crypto.randomUUID()}@example.org`
    const host = await at.site.person({ name: 'Emily Host', phone: newPhone(), email })
    const { linkToken: park } = await linkFor({ kind: 'park' }, at)
    return { at, host, email, park }
  }

  test('is sent a link when a reservation waits for them, which changes nothing until they decide', async () => {
    const { at, email, park } = await hosted()
    const token = await submitted(park, { name: 'Waits Outside', host: { name: 'Emily Host' } })
    const text = bodyOf((await mailTo(email)).raw)
    // What a page without a session typed is in no e-mail.
    expect(text).not.toContain('Waits Outside')
    const { id } = await visitNamed('Waits Outside', at)
    const linkToken = tokenOf(text)
    await fetch(`${world.url}/visit.html#host.${linkToken}`)
    const opened = await phone.call(appointmentCalls.hostOpen, { linkToken, body: {} })
    expect(opened).toMatchObject({ visitorName: 'Waits Outside', canDecide: true })
    expect((await at.read(id)).status).toBe(visitorStatus.toConfirm)
    await phone.call(appointmentCalls.hostAccept, { linkToken, body: { status: opened.status } })
    expect(await state(token)).toMatchObject({ state: 'accepted' })
    await world.settled()
    expect(mailsTo(email)).toHaveLength(1)
  })

  test('is told of the visitor’s arrival, once, at the desk or at a door', async () => {
    const { at, host, email, park } = await hosted()
    await at.visit({ intervieweeId: host.id })
    expect((await mailTo(email)).raw).toContain('has arrived at')
    await submitted(park, { name: 'Through The Door', host: { name: 'Emily Host' } })
    const { id, status } = await visitNamed('Through The Door', at)
    await at.site.call(visitorCalls.accept, { body: { visits: [{ id, status }] } })
    const { personId } = await at.read(id)
    for (let twice = 0; twice < 2; twice++)
      await passAt(world, at.scope.parkId, { deviceId: at.door.id, personId: personId!, direction: passDirection.in })
    await until('the arrival', async () => (await at.read(id)).status === visitorStatus.checkedIn)
    const arrivals = () => mailsTo(email).filter((text) => text.includes('has arrived'))
    await until('both arrivals', async () => arrivals().length === 2)
    expect(await phone.call(appointmentCalls.hostOpen, { linkToken: tokenOf(arrivals()[1]!), body: {} })).toMatchObject({
      visitorName: 'Through The Door',
      canDecide: false,
    })
  })

  test('decides no more once the desk has chosen another host, who is sent a link', async () => {
    const { at, email, park } = await hosted()
    await submitted(park, { name: 'Goes Elsewhere', host: { name: 'Emily Host' } })
    const linkToken = tokenOf(bodyOf((await mailTo(email)).raw))
    const { id } = await visitNamed('Goes Elsewhere', at)
    const other = await at.site.person({ name: 'Olga Other', phone: newPhone(), email: 'olga@example.org' })
    const { version } = await at.read(id)
    await at.site.call(visitorCalls.change, { body: { id, version, intervieweeId: other.id } })
    expect(await phone.ask(appointmentCalls.hostOpen, { linkToken, body: {} })).toMatchObject(ended)
    const others = tokenOf(bodyOf((await mailTo('olga@example.org')).raw))
    expect(await phone.call(appointmentCalls.hostOpen, { linkToken: others, body: {} })).toMatchObject({ canDecide: true })
  })
})
