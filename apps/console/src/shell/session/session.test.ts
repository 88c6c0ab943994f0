import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOKEN_KEEP_INTERVAL, TOKEN_KEEP_RETRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { screenCalls } from '@gatehouse/contract/system/screens'
import { setNavigation } from '../../kit/navigation.ts'
import { request } from '../../api/request.ts'
import { screenLink, useScreenLink } from '../../api/screenLink.ts'
import { loadSession, useSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { fakeBrowser, type FakeBrowser } from '../../api/testing/browser.ts'
import { freshToken } from '../../api/tokens.ts'
import { returnAddress } from '../../api/returnAddress.ts'
import { logout } from './logout.ts'
import { keepScreenSession, leaveScreenLink, takeFromAddress } from './screenSession.ts'
import { watchSessionEnd } from './sessionEnd.ts'
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
  vi.stubGlobal('navigator', {})
  leaveScreenLink()
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

test('the session is kept alive every ten minutes, and its token lasts longer [BEH-069, STATE:session:logged in>logged in]', async () => {
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

test(
  'a keep-alive that failed is tried again after 60 seconds, and goes on as before once it is answered [BEH-070, ' +
    'STATE:session:logged in>keep failed, STATE:session:keep failed>logged in]',
  async () => {
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
  },
)

test(
  'a data screen within 60 seconds of its end asks for a new one, kept as now plus the seconds told [BEH-071, BEH-072, ' +
    'STATE:session:logged in>data-screen renewing, STATE:session:data-screen renewing>logged in]',
  async () => {
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
  },
)

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

const LINK = 'screen_theirs'

test('an address brings a link along and loses it at once; the session of the browser stays as it is', async () => {
  const before = { ...localStorage }
  const address = await takeFromAddress(`/dataScreen?ac=100002&l=zh-TW&tk=${LINK}&expires=${NOW + 900_000}&view=2`)
  expect(address).toBe('/dataScreen?l=zh-TW&view=2')
  expect([screenLink.token(), await freshToken(), { ...localStorage }]).toEqual([LINK, LINK, before])
  expect(showLanguage).toHaveBeenCalledWith('zh-TW')
  expect(await takeFromAddress(address ?? '')).toBeUndefined()
})

test('an address logs no browser in: the token of a session in it is refused, with or without a session here', async () => {
  for (const clear of [false, true]) {
    if (clear) localStorage.clear()
    const before = { ...localStorage }
    expect(await takeFromAddress('/dataScreen?tk=theirs')).toBe('/dataScreen')
    expect([useScreenLink.getState().refused, screenLink.token(), { ...localStorage }]).toEqual([true, undefined, before])
  }
})

test('what a link shows leaves nothing in the browser, and is over with the next other page', async () => {
  await takeFromAddress(`/dataScreen?tk=${LINK}`)
  const before = { ...localStorage }
  browser.answer({
    code: 0,
    data: { id: 'maker', roleSign: 'admin', deviceUpgradeType: 0, capabilities: { permissions: ['screen'], lite: false } },
  })
  browser.answer({ code: 0, data: { areaCode: '200003', parkName: 'South' } })
  await loadSession()
  expect(browser.sent.map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${LINK}`, `Bearer ${LINK}`])
  const { timezoneOffset: _zone, ...after } = { ...localStorage }
  expect([after, useSession.getState().park?.areaCode]).toEqual([before, '200003'])
  leaveScreenLink()
  expect([screenLink.token(), useSession.getState().profile, await freshToken()]).toEqual([undefined, undefined, 'mine'])
})

test('a link that is revoked ends here, and not the session of the browser', async () => {
  await takeFromAddress(`/dataScreen?tk=${LINK}`)
  browser.refuse(401, 100_412)
  await expect(request(screenCalls.read, {})).rejects.toMatchObject({ code: 100_412 })
  expect([useScreenLink.getState().refused, storage.get('token'), visited]).toEqual([true, 'mine', []])
})

test('a screen that a link opened is not renewed', async () => {
  await takeFromAddress(`/dataScreen?tk=${LINK}`)
  storage.set('expires', NOW + 30_000)
  const stop = keepScreenSession()
  await pass(120)
  expect(asked()).toEqual([])
  stop()
})

test('the end of the session is announced ten minutes before, and leads to the login with the page and what was typed', async () => {
  const announced: (number | undefined)[] = []
  storage.set('profile', { id: 'me', deviceUpgradeType: 0 })
  storage.set('refreshExpires', NOW + 3_600_000)
  storage.set('tokenExpires', NOW + 3_600_000)
  sessionStorage.setItem('draft:me:staff.add', '{"name":"Ada"}')
  const stop = watchSessionEnd((end) => announced.push(end))
  await pass(2_999)
  expect([announced.at(-1), asked()]).toEqual([undefined, []])
  await pass(31)
  expect([announced.at(-1), visited]).toEqual([NOW + 3_600_000, []])
  browser.refuse(400, 100_412)
  await pass(600)
  expect(visited).toEqual(['/login'])
  expect(sessionStorage.getItem('draft:me:staff.add')).not.toBeNull()
  storage.set('profile', { id: 'me', deviceUpgradeType: 0 })
  expect(returnAddress.take()).toBe('/home')
  stop()
})

test('a session that another tab has started meanwhile is not spoken of', async () => {
  const announced: (number | undefined)[] = []
  storage.set('refreshExpires', NOW + 300_000)
  const stop = watchSessionEnd((end) => announced.push(end))
  storage.set('refreshExpires', NOW + 43_200_000)
  await pass(30)
  expect(announced).toEqual([NOW + 300_000, undefined])
  stop()
})

test('the last token of a session is used to its end, and not refreshed over and over', async () => {
  storage.set('refreshExpires', NOW + 30_000)
  storage.set('tokenExpires', NOW + 30_000)
  expect([await freshToken(), asked()]).toEqual(['mine', []])
})

test('where tabs cannot wait for one another, a refresh token that another tab has used meanwhile ends nothing', async () => {
  storage.set('tokenExpires', NOW)
  browser.refuse(400, 100_412)
  const token = freshToken()
  await pass(1)
  storage.set('token', 'newer')
  storage.set('refreshToken', 'newest')
  await pass(1)
  expect([await token, storage.get('refreshToken')]).toEqual(['newer', 'newest'])
})

test(
  'a logout tells the server, clears all but the wish for no more notices, and opens the login with a reload [BEH-018, ' +
    'BEH-076, STATE:session:logged in>no session]',
  async () => {
    storage.set('noMoreNotice', ['me'])
    storage.set('areaCode', '100002')
    sessionStorage.setItem('draft:me:staff.add', '{"name":"Ada"}')
    browser.answer({ code: 0, message: '' })
    await logout()
    expect(asked()).toEqual([`GET ${identityCalls.revoke.url}`])
    expect(visited).toEqual(['/login?reload=1'])
    expect(Object.keys(localStorage)).toEqual(['noMoreNotice'])
    expect(Object.keys(sessionStorage)).toEqual([])
  },
)

test('a logout without a server ends the session here all the same', async () => {
  await logout()
  expect([visited, storage.get('token')]).toEqual([['/login?reload=1'], undefined])
})
