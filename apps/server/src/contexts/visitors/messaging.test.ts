/** Text messages and WeChat of a park: their settings keep their secrets, and messages about visits leave by them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { messagingCalls, type SmsFields } from '@gatehouse/contract/visitors/messaging'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import {
  MINI_PROGRAM,
  OFFICIAL_ACCOUNT,
  SMS_ACCOUNT,
  startMessageProviders,
  type MessageProviders,
} from '../../../../../tests/support/message-providers.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { until } from '../../../../../tests/support/until.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'

let world: World
let providers: MessageProviders
let reception: Reception
beforeAll(async () => {
  providers = await startMessageProviders()
  world = await startWorld({ config: { smsUrl: providers.url, wechatUrl: providers.url } })
  reception = await createReception(world)
  await reception.site.call(messagingCalls.changeSms, { body: SMS })
  await reception.site.call(messagingCalls.changeWechat, { body: WECHAT })
})
afterAll(async () => {
  await world?.stop()
  await providers?.stop()
})
beforeEach(async () => {
  await world.server.platform.db.deleteFrom('message').execute()
  for (const list of [providers.sms, providers.wechat, providers.faults]) list.length = 0
})

const SMS: SmsFields = {
  uid: '1200',
  ...SMS_ACCOUNT,
  signature: 'Park',
  authorisationCodeTemplate: 'SMS_code',
  inviteTemplate: 'SMS_invite',
  appointmentTemplate: 'SMS_appointment',
  approveTemplate: 'SMS_approve',
  rejectTemplate: 'SMS_reject',
  revokeTemplate: 'SMS_revoke',
}
const keywords = { park: 'thing1', time: 'time2', state: 'phrase3' }
const WECHAT = {
  miniProgramApp: MINI_PROGRAM.app,
  miniProgramSecret: MINI_PROGRAM.secret,
  miniProgramTemplate: 'T-mini',
  miniProgramKeywords: keywords,
  officialAccountApp: OFFICIAL_ACCOUNT.app,
  officialAccountSecret: OFFICIAL_ACCOUNT.secret,
  officialAccountTemplate: 'T-official',
  officialAccountKeywords: keywords,
}
const SECRETS = [SMS_ACCOUNT.secret, MINI_PROGRAM.secret, OFFICIAL_ACCOUNT.secret]

const sentTo = (phone: string) => until(`a text message to ${phone}`, async () => providers.sms.find(({ to }) => to === phone))
const outbox = async () => (await world.call(messageCalls.messages, { query: {} })).content
const address = 'https://gate.example.org/'
const tokenIn = (url: string): string => url.slice(url.indexOf('.', url.indexOf('#')) + 1)

test('secrets are never answered, stay where they are left empty, and are removed by null', async () => {
  const { site } = await createReception(world)
  expect(await site.call(messagingCalls.readSms, {})).toMatchObject({ accessKey: '', secretsSet: [], version: 0 })
  const saved = await site.call(messagingCalls.changeSms, { body: { ...SMS, version: 0 } })
  expect(saved).toMatchObject({ accessKey: SMS.accessKey, secretsSet: ['secret'], version: 1 })
  await site.call(messagingCalls.changeSms, { body: { signature: 'Other', secret: '' } })
  expect(await site.call(messagingCalls.readSms, {})).toMatchObject({
    signature: 'Other',
    inviteTemplate: 'SMS_invite',
    secretsSet: ['secret'],
  })
  expect(await site.ask(messagingCalls.changeSms, { body: { signature: 'Late', version: 1 } })).toMatchObject({ status: 409 })
  expect((await site.call(messagingCalls.changeSms, { body: { secret: null } })).secretsSet).toEqual([])
  const wechat = await site.call(messagingCalls.changeWechat, { body: WECHAT })
  expect(wechat).toMatchObject({ miniProgramKeywords: keywords })
  expect(wechat.secretsSet).toEqual(['miniProgramSecret', 'officialAccountSecret'])
  expect(await site.ask(messagingCalls.changeWechat, { body: { miniProgramKeywords: { ...keywords, time: '2 times' } } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'miniProgramKeywords.time' }] },
  })
  // In plain text neither at rest nor in the operation log.
  const rows = await query<{ text: string }>(world.connectionString, 'select row_to_json(setting)::text as text from setting')
  const logged = (await openedLog(world)).map((change) => ({ text: JSON.stringify(change) }))
  for (const { text } of [...rows, ...logged]) for (const secret of SECRETS) expect(text).not.toContain(secret)
})

describe('a visitor is sent text messages', () => {
  test('of the reservation that a user makes and of its acceptance', async () => {
    const phone = newPhone()
    const { id, status } = await reception.reservation({ phone })
    expect(await sentTo(phone)).toMatchObject({
      signature: 'Park',
      template: 'SMS_appointment',
      values: { park: reception.site.park.name, time: expect.stringMatching(/\d/) },
    })
    providers.sms.length = 0
    await reception.site.call(visitorCalls.accept, { body: { visits: [{ id, status: status as 5 }] } })
    expect((await sentTo(phone)).template).toBe('SMS_approve')
    expect(JSON.stringify(providers.sms)).not.toContain('Grace')
  })

  test('of the refusal and the cancellation', async () => {
    const phones = { reject: newPhone(), revoke: newPhone() }
    const refused = await reception.reservation({ phone: phones.reject })
    const revoked = await reception.reservation({ phone: phones.revoke })
    for (const phone of Object.values(phones)) await sentTo(phone)
    providers.sms.length = 0
    await reception.site.call(visitorCalls.refuse, { body: { visits: [{ id: refused.id, status: 5 }], rejectReason: 'No' } })
    await reception.site.call(visitorCalls.revoke, { body: { visits: [{ id: revoked.id, status: 5 }] } })
    expect((await sentTo(phones.reject)).template).toBe('SMS_reject')
    expect((await sentTo(phones.revoke)).template).toBe('SMS_revoke')
  })

  test('of an invitation where a user wants it, with its link', async () => {
    const phone = newPhone()
    const { id } = await reception.visit({ source: visitorSource.invitation, phone, cardNumber: null })
    expect(await reception.site.call(messagingCalls.occasions, {})).toEqual({
      sms: ['invite', 'appointment', 'approve', 'reject', 'revoke'],
    })
    const body = { kind: 'invitation', visitId: id, address } as const
    expect(await reception.site.call(visitorLinkCalls.createLink, { body })).toMatchObject({ mailed: false, texted: false })
    const { url, texted } = await reception.site.call(visitorLinkCalls.createLink, { body: { ...body, text: true } })
    expect(texted).toBe(true)
    expect(await sentTo(phone)).toMatchObject({ template: 'SMS_invite', values: { link: url } })
  })

  test('but not of what a stranger reserves by a link, nor in a park that has set up none', async () => {
    const elsewhere = await createReception(world)
    await elsewhere.reservation()
    const { url } = await reception.site.call(visitorLinkCalls.createLink, { body: { kind: 'park', address } })
    const now = world.clock.now()
    const form = { name: 'Annie Easley', phone: newPhone(), reason: 1 as const, visitTime: now + 60_000, visitEndTime: now + 120_000 }
    const stranger = createClient(world.url)
    await stranger.call(appointmentCalls.submit, { linkToken: tokenIn(url), body: { key: crypto.randomUUID(), ...form } })
    await world.server.platform.messages.deliver()
    expect(providers.sms).toEqual([])
    expect(await outbox()).toEqual([])
    // Once the desk has accepted it, its visitor is sent the link to its state.
    const [visit] = (await reception.site.call(visitorCalls.list, { query: { keyword: form.name } })).content
    await reception.site.call(visitorCalls.accept, { body: { visits: [{ id: visit!.id, status: 5 }] } })
    const { template, values } = await sentTo(form.phone)
    expect(template).toBe('SMS_approve')
    expect(await stranger.call(appointmentCalls.status, { linkToken: tokenIn(values['link']!), body: {} })).toMatchObject({
      state: 'accepted',
    })
  })
})

test('a refusal that cannot pass ends the attempts at once; one that can is tried again', async () => {
  const [wrong, busy] = [newPhone(), newPhone()]
  providers.faults.push('isv.SMS_TEMPLATE_ILLEGAL')
  await reception.reservation({ phone: wrong })
  const failed = await until('the failure', async () => (await outbox()).find(({ state }) => state === 'failed'))
  expect(failed).toMatchObject({ channel: 'sms', to: wrong, attempts: 1, reason: expect.stringContaining('isv.SMS_TEMPLATE_ILLEGAL') })
  providers.faults.push('isv.BUSINESS_LIMIT_CONTROL')
  await reception.reservation({ phone: busy })
  const waiting = await until('the attempt', async () => (await outbox()).find(({ to, attempts }) => to === busy && attempts === 1))
  expect(waiting).toMatchObject({ state: 'waiting', reason: expect.stringContaining('isv.BUSINESS_LIMIT_CONTROL'), can: { retry: true } })
  // Both leave once there is nothing against it, each once.
  for (const { id } of [failed, waiting])
    expect(await world.call(messageCalls.retryMessage, { params: { id } })).toMatchObject({ state: 'sent' })
  expect(providers.sms.map(({ to }) => to).toSorted()).toEqual([wrong, busy].toSorted())
})

test('a trial says at once what became of it', async () => {
  const trial = (body: Parameters<typeof reception.site.call<typeof messagingCalls.test>>[1]['body']) =>
    reception.site.call(messagingCalls.test, { body })
  expect(await trial({ channel: 'sms', to: '13800000001', occasion: 'authorisationCode' })).toMatchObject({ state: 'sent', reason: null })
  expect(providers.sms).toMatchObject([{ to: '13800000001', template: 'SMS_code', values: { code: '123456' } }])
  for (const channel of ['miniProgram', 'officialAccount'] as const)
    expect(await trial({ channel, to: 'openid-1', occasion: 'approve' })).toMatchObject({ state: 'sent' })
  expect(providers.wechat.map(({ template }) => template)).toEqual(['T-mini', 'T-official'])
  expect(providers.wechat[0]!.data).toMatchObject({ thing1: { value: reception.site.park.name.slice(0, 20) }, time2: {}, phrase3: {} })
  providers.faults.push(43101)
  expect(await trial({ channel: 'miniProgram', to: 'openid-1', occasion: 'approve' })).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('43101'),
  })
  const { site } = await createReception(world)
  expect(await site.ask(messagingCalls.test, { body: { channel: 'sms', to: '13800000001', occasion: 'approve' } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'occasion', rule: 'notSetUp' }] },
  })
})

test('a code to a telephone leaves by the account of the park that its user is in', async () => {
  const phone = newPhone()
  const user = await world.session({ park: reception.site.park, permissions: [], roleSign: 'other' })
  const sent = await user.call(ownCalls.phoneCode, { query: { phone } })
  expect(sent).toEqual({ validMinutes: 10, delivered: true })
  const { template, values } = await sentTo(phone)
  expect(template).toBe('SMS_code')
  expect(await user.call(ownCalls.checkPhoneCode, { body: { phone, code: values['code']! } })).toEqual({ verified: true })
})
