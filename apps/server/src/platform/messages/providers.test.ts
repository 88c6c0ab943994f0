/** Messages by providers, against a stand-in made from their published interfaces. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  MINI_PROGRAM,
  OFFICIAL_ACCOUNT,
  SMS_ACCOUNT,
  startMessageProviders,
  type MessageProviders,
} from '../../../../../tests/support/message-providers.ts'
import { signedAcsRequest } from './acs-signature.ts'
import type { Carrier, SmsAccount, WechatAccount } from './carrier.ts'
import { createSmsCarrier } from './sms-carrier.ts'
import { createWechatCarrier } from './wechat-carrier.ts'

test('a request is signed as in the example of the documentation of signature version 3', () => {
  const { query, headers } = signedAcsRequest(
    {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      parameters: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      date: '2023-10-26T10:22:32Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
    },
    { accessKey: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
  )
  expect(query).toBe('ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai')
  expect(headers['authorization']).toMatch(/Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0$/)
})

let providers: MessageProviders
const clock = { now: () => Date.now() }
/** Long enough for an answer of this machine; a silent provider is waited for as long. */
const PATIENCE_MS = 2000
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: { message: string; isFinal?: boolean }) => ({ reason: error.message, isFinal: error.isFinal }),
  )

beforeAll(async () => {
  providers = await startMessageProviders()
})
afterAll(() => providers?.stop())
beforeEach(() => {
  for (const list of [providers.sms, providers.wechat, providers.tokens, providers.faults]) list.length = 0
})

describe('text messages', () => {
  const account: SmsAccount = { ...SMS_ACCOUNT, signature: '示例园区', template: 'SMS_1' }
  const carrierOf = (sms: SmsAccount | null, patienceMs = PATIENCE_MS): Carrier =>
    createSmsCarrier({ url: providers.url, clock, patienceMs, accounts: () => ({ sms: () => sms }) })
  const template = { parkId: 'park', occasion: 'approve', values: { park: "A (b)*! 'c' 园区", time: '8:00' } } as const
  const message = (to = '13800000001') => ({ to, subject: '', text: '', template })

  test('a message leaves with signature, template and values, to a number as the provider wants it', async () => {
    for (const to of ['13800000001', '+86 138-0000-0001', '008613800000001', '+8613800000001', '+85291234567'])
      await carrierOf(account).send('id', message(to))
    expect(providers.sms.map(({ to }) => to)).toEqual(['13800000001', '13800000001', '13800000001', '13800000001', '85291234567'])
    expect(providers.sms[0]).toMatchObject({ signature: '示例园区', template: 'SMS_1', values: template.values })
  })

  test.each([
    ['isv.BUSINESS_LIMIT_CONTROL', false],
    ['isv.AMOUNT_NOT_ENOUGH', false],
    ['isp.SYSTEM_ERROR', false],
    ['isv.MOBILE_NUMBER_ILLEGAL', true],
    ['isv.SMS_TEMPLATE_ILLEGAL', true],
    ['isv.SMS_SIGNATURE_ILLEGAL', true],
  ])('%s: final %s', async (code, isFinal) => {
    providers.faults.push(code)
    expect(await failureOf(carrierOf(account).send('id', message()))).toEqual({ reason: `${code} ${code}`, isFinal })
    expect(providers.sms).toEqual([])
  })

  test('a wrong secret is final and is not repeated; what is not set up is final', async () => {
    const wrong = await failureOf(carrierOf({ ...account, secret: 'another-secret' }).send('id', message()))
    expect(wrong).toMatchObject({ isFinal: true, reason: expect.stringContaining('SignatureDoesNotMatch') })
    expect(wrong!.reason).not.toContain('another-secret')
    expect(await failureOf(carrierOf(null).send('id', message()))).toMatchObject({ isFinal: true })
    expect(carrierOf(null).carries(message())).toBe(false)
    expect(carrierOf(account).carries({})).toBe(false)
  })

  test('a provider that is silent, broken or away is tried again', async () => {
    providers.faults.push('silent')
    expect(await failureOf(carrierOf(account, 50).send('id', message()))).toMatchObject({
      isFinal: false,
      reason: expect.stringContaining('did not answer within'),
    })
    providers.faults.length = 0
    providers.faults.push('broken')
    expect(await failureOf(carrierOf(account).send('id', message()))).toMatchObject({
      isFinal: false,
      reason: expect.stringContaining('did not answer in JSON'),
    })
    const away = createSmsCarrier({ url: 'http://127.0.0.1:9', clock, patienceMs: PATIENCE_MS, accounts: () => ({ sms: () => account }) })
    expect(await failureOf(away.send('id', message()))).toMatchObject({ isFinal: false, reason: expect.stringContaining('reached') })
  })
})

describe('WeChat', () => {
  const keywords = { park: 'thing1', time: 'time2', state: '' }
  const mini: WechatAccount = { ...MINI_PROGRAM, template: 'T-mini', keywords }
  const official: WechatAccount = { ...OFFICIAL_ACCOUNT, template: 'T-official', keywords }
  const carrierOf = (account: WechatAccount): Carrier =>
    createWechatCarrier(account.app === MINI_PROGRAM.app ? 'miniProgram' : 'officialAccount', {
      url: providers.url,
      clock,
      patienceMs: PATIENCE_MS,
      accounts: () => ({ wechat: () => account }),
    })
  const values = { park: '园'.repeat(30), time: '2026-11-30 08:00', state: 'accepted', link: 'https://example.org' }
  const message = { to: 'openid-1', subject: '', text: '', template: { parkId: 'park', occasion: 'approve', values } } as const

  test('each kind has its own interface, and the template shows what it has a name for', async () => {
    await carrierOf(mini).send('id', message)
    await carrierOf(official).send('id', message)
    const data = { thing1: { value: '园'.repeat(20) }, time2: { value: values.time } }
    expect(providers.wechat).toEqual([
      { path: '/cgi-bin/message/subscribe/send', to: 'openid-1', template: 'T-mini', data },
      { path: '/cgi-bin/message/template/send', to: 'openid-1', template: 'T-official', data },
    ])
  })

  test('a token serves many messages, and is renewed where WeChat takes it no more', async () => {
    const carrier = carrierOf(mini)
    await carrier.send('1', message)
    await carrier.send('2', message)
    expect(providers.tokens).toEqual([false])
    providers.expireTokens()
    await carrier.send('3', message)
    expect(providers.tokens).toEqual([false, true])
    expect(providers.wechat).toHaveLength(3)
  })

  test('a token is asked for again before it ends', async () => {
    let now = Date.now()
    const carrier = createWechatCarrier('miniProgram', {
      url: providers.url,
      clock: { now: () => now },
      patienceMs: PATIENCE_MS,
      accounts: () => ({ wechat: () => mini }),
    })
    await carrier.send('1', message)
    now += 7_000_000
    await carrier.send('2', message)
    expect(providers.tokens).toEqual([false, false])
  })

  test.each([
    [-1, false],
    [45009, false],
    [43004, true],
    [43101, true],
    [40003, true],
    [47003, true],
  ])('%s: final %s', async (code, isFinal) => {
    providers.faults.push(code)
    expect(await failureOf(carrierOf(mini).send('id', message))).toEqual({ reason: `${code} error ${code}`, isFinal })
  })

  test('a wrong secret is final and is not repeated', async () => {
    const wrong = await failureOf(carrierOf({ ...mini, secret: 'another-secret' }).send('id', message))
    expect(wrong).toEqual({ reason: '40125 invalid appsecret', isFinal: true })
  })
})
