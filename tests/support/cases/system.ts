import { systemCalls } from '@gatehouse/contract/system/calls'
import type { Ground, CallCase } from './case.ts'

/** A domain can be used once in the installation. */
let domains = 0
const address = (): string => `https://ladder-${++domains}.example.org`

const aDomain = async ({ site }: Ground) => ({
  address: address(),
  id: (await site.call(systemCalls.addDomain, { body: { address: address() } })).id,
})
const WORDS = { 'zh-CN': '升级', 'zh-TW': '升級', en: 'Upgrade' }
const aNotice = async ({ site }: Ground) => ({
  id: (await site.call(systemCalls.addNotice, { body: { title: WORDS, content: WORDS } })).id,
})
const aMessage = async ({ site }: Ground) => ({
  id: (await site.call(systemCalls.testMessage, { body: { to: 'somebody@example.org' } })).id,
})

/** All of it belongs to the installation. */
const ofInstallation = (call: CallCase['call'], rest: Omit<CallCase, 'call' | 'foreign'> = {}): CallCase => ({
  call,
  foreign: false,
  ...rest,
})

export const cases: readonly CallCase[] = [
  ofInstallation(systemCalls.changeBackground, { given: () => ({ background: '' }) }),
  ofInstallation(systemCalls.addDomain, { given: () => ({ address: address() }) }),
  ofInstallation(systemCalls.changeDomain, { given: aDomain }),
  ofInstallation(systemCalls.removeDomain, { given: aDomain }),
  ofInstallation(systemCalls.saveIpAddress, { given: () => ({ ip: '192.168.1.20' }) }),
  // A test starts its server without a way to restart it, and no monitor is configured.
  ofInstallation(systemCalls.restart, { lastWord: [400, 400] }),
  ofInstallation(systemCalls.loginUrl, { lastWord: [400, 400] }),
  ofInstallation(systemCalls.changeThirdConfig, { given: () => ({ address: '' }) }),
  ofInstallation(systemCalls.setBid, { given: () => ({ value: 0 }) }),
  ofInstallation(systemCalls.changeNotice, { given: aNotice }),
  ofInstallation(systemCalls.removeNotice, { given: aNotice }),
  ofInstallation(systemCalls.readNotice, { given: aNotice }),
  ofInstallation(systemCalls.message, { given: aMessage }),
  // Nothing delivers the message here.
  ofInstallation(systemCalls.retryMessage, { given: aMessage, lastWord: [400, 400] }),
  ofInstallation(systemCalls.testMessage, { given: () => ({ to: 'somebody@example.org' }) }),
]
