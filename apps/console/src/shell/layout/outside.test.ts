import { beforeEach, expect, test, vi } from 'vitest'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { storage } from '../../api/storage.ts'
import { fakeBrowser, type FakeBrowser } from '../../api/testing/browser.ts'
import { openOutside } from './outside.ts'

const toast = vi.hoisted(() => vi.fn<(kind: string, sentence: string) => void>())
vi.mock('../../kit/feedback.tsx', () => ({ toast }))

let browser: FakeBrowser
const newWindow = () => ({
  opener: 'the console' as unknown,
  location: { replace: vi.fn<(address: string) => void>() },
  close: vi.fn<() => void>(),
})
let opened: ReturnType<typeof newWindow>
const open = vi.fn<(address: string, target: string) => typeof opened>(() => opened)

beforeEach(async () => {
  browser = await fakeBrowser()
  toast.mockClear()
  open.mockClear()
  opened = newWindow()
  vi.stubGlobal('window', { open, location: { protocol: 'http:', hostname: 'gate.example.org' } })
  storage.set('token', 'mine')
  storage.set('tokenExpires', Date.now() + 7_200_000)
})

/** Return where the window ended up; undefined where it was closed. */
const shown = (): unknown => (opened.close.mock.calls.length > 0 ? undefined : opened.location.replace.mock.lastCall?.[0])

test('the third-party monitor opens in a window of its own, at the address the server gives [BEH-054]', async () => {
  browser.answer({ code: 0, data: 'https://monitor.example.org/?token=abc' })
  const done = openOutside('thirdPartyMonitor')
  // Before the answer: a window that opens later would be treated as a pop-up.
  expect(open).toHaveBeenCalledWith('about:blank', '_blank')
  await done
  expect(browser.sent.map(({ address }) => address)).toEqual([installationCalls.loginUrl.url])
  expect([shown(), opened.opener]).toEqual(['https://monitor.example.org/?token=abc', null])
})

test('the parking system opens in a tab of its own, logged in by the token the server made [BEH-055]', async () => {
  browser.answer({ code: 0, data: { url: 'https://parking.example.org/login?appId=7&token=xyz' } })
  await openOutside('parkingManager')
  expect(browser.sent.map(({ address }) => address)).toEqual([parkSettingCalls.carParkLogin.url])
  expect(shown()).toBe('https://parking.example.org/login?appId=7&token=xyz')
})

test('a parking account is opened where the settings say, and where they do not, that is said', async () => {
  browser.answer({ code: 0, data: { createUrl: 'https://parking.example.org/new' } })
  await openOutside('parkingCreate')
  expect(shown()).toBe('https://parking.example.org/new')
  browser.answer({ code: 0, data: { createUrl: '' } })
  await openOutside('parkingCreate')
  expect([shown(), toast.mock.calls.length]).toEqual([undefined, 1])
})

test('device upgrades are at port 23456 of the same host [BEH-052]', async () => {
  await openOutside('deviceUpgrade')
  expect(shown()).toBe('http://gate.example.org:23456')
})

test('a refusal is spoken of and the empty window closed; an address that is no page is never followed', async () => {
  browser.refuse(200, 510_001)
  await openOutside('parkingManager')
  expect([shown(), toast.mock.calls.length]).toEqual([undefined, 1])
  opened = newWindow()
  browser.answer({ code: 0, data: 'javascript:alert(1)' })
  await openOutside('thirdPartyMonitor')
  expect([shown(), opened.location.replace.mock.calls.length]).toEqual([undefined, 0])
})
