import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOKEN_KEEP_INTERVAL, TOKEN_KEEP_RETRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { setNavigation } from '../../kit/navigation.ts'
import { storage } from '../../kit/storage.ts'
import { fakeBrowser, type FakeBrowser } from '../../kit/testing-browser.ts'
import { logout } from './logout.ts'
import { keepScreenSession, takeFromAddress } from './screenSession.ts'
import { keepAlive } from './useKeepAlive.ts'

const showLanguage = vi.hoisted(() => vi.fn<(language: string) => void>())
vi.mock('../../i18n/index.ts', () => ({ showLanguage, startLanguage: async () => {} }))
vi.mock('../../kit/feedback.tsx', () => ({ toast: () => {} }))

const NOW = Date.UTC(2026, 10, 21, 4)
let browser: FakeBrowser
let visited: string[]
beforeEach(async () => {
  vi.useFakeTimers({ now: NOW })
  browser = await fakeBrowser()
  visited = []
  setNavigation({ go: (to) => void visited.push(to), address: () => '/home' })
  storage.set('token', 'mine')
  storage.set('refreshToken', 'another')
  storage.set('tokenExpires', NOW + 7_200_000)
  storage.set('refreshExpires', NOW + 86_400_000)
})
afterEach(() => vi.useRealTimers())

const asked = (): string[] => browser.sent.map(({ address, method }) => `${method} ${address}`)
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const KEEP = `POST ${identityCalls.keep.url}`
const EXPIRE = `POST ${identityCalls.expire.url}`

test('the session is kept alive every ten minutes, and its token known to last longer [BEH-069, STATE:session:logged in>logged in]', async () => {
  const stop = keepAlive()
  browser.answer({ code: 0, data: { expiresIn: 7200 } })
  await pass(TOKEN_KEEP_INTERVAL - 1)
  expect(asked()).toEqual([])
  await pass(1)
  expect(asked()).toEqual([KEEP])
  expect(storage.get('tokenExpires')).toBe(NOW + (TOKEN_KEEP_INTERVAL + 7200) * 1000)
  browser.answer({ code: 0, data: { expiresIn: 7200 } })
  await pass(TOKEN_KEEP_INTERVAL)
  expect(asked()).toEqual([KEEP, KEEP])
  stop()
  await pass(TOKEN_KEEP_INTERVAL)
  expect(asked()).toHaveLength(2)
})

test('a keep-alive that failed is tried again after 60 seconds, and goes on as before once it is answered [BEH-070, STATE:session:logged in>keep failed, STATE:session:keep failed>logged in]', async () => {
  const stop = keepAlive()
  await pass(TOKEN_KEEP_INTERVAL)
  expect([asked().length, visited]).toEqual([1, []])
  await pass(TOKEN_KEEP_RETRY - 1)
  expect(asked()).toHaveLength(1)
  browser.answer({ code: 0, data: { expiresIn: 7200 } })
  await pass(1)
  expect(asked()).toHaveLength(2)
  await pass(TOKEN_KEEP_INTERVAL - 1)
  expect(asked()).toHaveLength(2)
  browser.answer({ code: 0, data: { expiresIn: 7200 } })
  await pass(1)
  expect(asked()).toHaveLength(3)
  stop()
})

test('a data screen within 60 seconds of its end asks for a new one, kept as now plus the seconds told [BEH-071, BEH-072, STATE:session:logged in>data-screen renewing, STATE:session:data-screen renewing>logged in]', async () => {
  storage.set('expires', NOW + 60_000)
  browser.answer({ code: 0, data: { seconds: 600 } })
  const stop = keepScreenSession()
  await pass(0)
  expect(asked()).toEqual([EXPIRE])
  expect(browser.sent[0]?.headers.get('authorization')).toBe('Bearer mine')
  expect(storage.get('expires')).toBe(NOW + 600_000)
  browser.answer({ code: 0, data: { seconds: 600 } })
  await pass(539)
  expect(asked()).toHaveLength(1)
  await pass(1)
  expect([asked().length, storage.get('expires')]).toEqual([2, NOW + 1_140_000])
  stop()
})

test('a data screen with time left looks again 60 seconds before its end, and not once it is left [BEH-073]', async () => {
  storage.set('expires', NOW + 300_000)
  const stop = keepScreenSession()
  await pass(239)
  expect(asked()).toEqual([])
  browser.answer({ code: 0, data: { seconds: 300 } })
  await pass(1)
  expect(asked()).toEqual([EXPIRE])
  stop()
  await pass(600)
  expect(asked()).toHaveLength(1)
})

test('a renewal that found no server is tried again while there is time', async () => {
  storage.set('expires', NOW + 60_000)
  const stop = keepScreenSession()
  await pass(0)
  browser.answer({ code: 0, data: { seconds: 600 } })
  await pass(15)
  expect([asked(), storage.get('expires')]).toEqual([[EXPIRE, EXPIRE], NOW + 615_000])
  stop()
})

test('an address brings a session along and loses it at once', async () => {
  localStorage.clear()
  const address = await takeFromAddress(`/dataScreen?ac=100002&l=zh-TW&tk=theirs&expires=${NOW + 900_000}&view=2`)
  expect(address).toBe('/dataScreen?l=zh-TW&view=2')
  expect([storage.get('token'), storage.get('expires'), storage.get('areaCode')]).toEqual(['theirs', NOW + 900_000, '100002'])
  expect(showLanguage).toHaveBeenCalledWith('zh-TW')
  expect(await takeFromAddress(address ?? '')).toBeUndefined()
})

test('a token of an address replaces no session that somebody has here', async () => {
  expect(await takeFromAddress('/dataScreen?tk=theirs')).toBe('/dataScreen')
  expect(storage.get('token')).toBe('mine')
  storage.set('tokenExpires', NOW - 1)
  storage.set('refreshExpires', NOW - 1)
  expect(await takeFromAddress('/dataScreen?tk=theirs')).toBe('/dataScreen')
  expect([storage.get('token'), storage.get('refreshToken')]).toEqual(['theirs', undefined])
})

test('a logout tells the server, clears all but the wish for no more notices, and opens the login with a reload [BEH-018, BEH-076]', async () => {
  storage.set('noMoreNotice', ['me'])
  storage.set('areaCode', '100002')
  sessionStorage.setItem('draft:me:staff.add', '{"name":"Ada"}')
  browser.answer({ code: 0, message: '' })
  await logout()
  expect(asked()).toEqual([`GET ${identityCalls.revoke.url}`])
  expect(visited).toEqual(['/login?reload=1'])
  expect(Object.keys(localStorage)).toEqual(['noMoreNotice'])
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('a logout without a server ends the session here all the same', async () => {
  await logout()
  expect([visited, storage.get('token')]).toEqual([['/login?reload=1'], undefined])
})
