/** How visitors are sent messages besides e-mail, as whoever sets it up sees it. The providers are stand-ins. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagingCalls } from '@gatehouse/contract/visitors/messaging'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { SMS_ACCOUNT, startMessageProviders, type MessageProviders } from '../support/message-providers.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
let providers: MessageProviders
beforeAll(async () => {
  providers = await startMessageProviders()
  world = await startWorld({ console: true, config: { smsUrl: providers.url, wechatUrl: providers.url } })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
  await providers?.stop()
})
const open = pagesOf(() => ({ browser, world }))

test('an account of text messages is set up without its secret being shown again, and tried', async () => {
  const page = await open('/configuration', { language: 'zh-CN' })
  await page.getByRole('link', { name: '微信', exact: true }).click()
  await expectAddress(page, 'tab=wechat')
  await page.getByText('短信和微信尚未与真实服务联调').waitFor()
  await expectAccessible(page)
  await page.getByLabel('访问密钥', { exact: true }).fill(SMS_ACCOUNT.accessKey)
  await page.getByLabel('访问密钥密码', { exact: true }).fill(SMS_ACCOUNT.secret)
  await page.getByLabel('短信签名', { exact: true }).fill('示例园区')
  await page.getByLabel('同意', { exact: true }).fill('SMS_1')
  await page.getByRole('button', { name: '保存短信配置' }).click()
  await page.getByPlaceholder('已保存，留空则不变').waitFor()
  expect(await page.content()).not.toContain(SMS_ACCOUNT.secret)
  expect(await world.call(messagingCalls.readSms, {})).toMatchObject({ signature: '示例园区', secretsSet: ['secret'] })

  await page.getByRole('button', { name: '发送测试短信' }).click()
  const trial = page.getByRole('dialog', { name: '发送测试短信' })
  await trial.getByLabel('手机号', { exact: true }).fill('13800000001')
  await trial.getByRole('button', { name: '发送', exact: true }).click()
  await trial.getByText('服务商已接收该消息。').waitFor()
  expect(providers.sms).toMatchObject([{ to: '13800000001', signature: '示例园区', template: 'SMS_1' }])
  providers.faults.push('isv.BUSINESS_LIMIT_CONTROL')
  await trial.getByRole('button', { name: '发送', exact: true }).click()
  await trial.getByText(/isv\.BUSINESS_LIMIT_CONTROL/).waitFor()
  await expectAccessible(page)
  await trial.getByRole('button', { name: '关闭', exact: true }).last().click()
  await trial.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: '移除', exact: true }).click()
  await page.getByText('保存后移除').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '保存短信配置' }).click()
  await expect.poll(async () => (await world.call(messagingCalls.readSms, {})).secretsSet).toEqual([])
})
