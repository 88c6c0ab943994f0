import { systemCalls } from '@gatehouse/contract/system/calls'
import type { Ground, Rung } from './rungs.ts'

/** Domains are taken once in the installation. */
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
const rung = (call: Rung['call'], rest: Omit<Rung, 'call' | 'foreign'> = {}): Rung => ({ call, foreign: false, ...rest })

export const systemRungs: readonly Rung[] = [
  rung(systemCalls.changeBackground, { given: () => ({ background: '' }) }),
  rung(systemCalls.addDomain, { given: () => ({ address: address() }) }),
  rung(systemCalls.changeDomain, { given: aDomain }),
  rung(systemCalls.removeDomain, { given: aDomain }),
  rung(systemCalls.saveIpAddress, { given: () => ({ ip: '192.168.1.20' }) }),
  // Whoever starts the server of a test offers no restart, and no monitor is set up.
  rung(systemCalls.restart, { lastWord: [400, 400] }),
  rung(systemCalls.loginUrl, { lastWord: [400, 400] }),
  rung(systemCalls.changeThirdConfig, { given: () => ({ address: '' }) }),
  rung(systemCalls.setBid, { given: () => ({ value: 0 }) }),
  rung(systemCalls.changeNotice, { given: aNotice }),
  rung(systemCalls.removeNotice, { given: aNotice }),
  rung(systemCalls.readNotice, { given: aNotice }),
  rung(systemCalls.message, { given: aMessage }),
  // Nothing here delivers it.
  rung(systemCalls.retryMessage, { given: aMessage, lastWord: [400, 400] }),
  rung(systemCalls.testMessage, { given: () => ({ to: 'somebody@example.org' }) }),
]
