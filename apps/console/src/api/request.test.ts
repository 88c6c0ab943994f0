import { beforeEach, expect, test, vi } from 'vitest'
import { CANCEL_LIST_MAX } from '@gatehouse/contract'
import { identityCalls, type Profile } from '@gatehouse/contract/identity/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { lookCalls } from '@gatehouse/contract/system/look'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { pendingRequests } from './cancel.ts'
import { afterConfirmation, useAsking } from './confirmation.ts'
import { setNavigation } from '../kit/navigation.ts'
import { request } from './request.ts'
import { useSession } from './session.ts'
import { storage } from './storage.ts'
import { fakeBrowser, type FakeBrowser } from './testing/browser.ts'
import { dropTokens, hasTokens, obtainTokens } from './tokens.ts'
import { returnAddress } from './returnAddress.ts'

const toast = vi.hoisted(() => vi.fn<(kind: string, sentence: string) => void>())
vi.mock('../kit/feedback.tsx', () => ({ toast }))

let browser: FakeBrowser
let visited: string[]

beforeEach(async () => {
  toast.mockClear()
  browser = await fakeBrowser()
  visited = []
  standAt('/staffList')
  useSession.setState({ ended: false })
  storage.set('token', 'a-token')
  storage.set('refreshToken', 'another')
  storage.set('tokenExpires', Date.now() + 3_600_000)
  storage.set('profile', { id: 'me', deviceUpgradeType: 0 })
})

const standAt = (address: string): void => setNavigation({ go: (to) => void visited.push(to), address: () => address })
const ask = () => request(peopleCalls.summary, {})
const toasts = (): unknown[] => toast.mock.calls.map(([kind, sentence]) => `${kind}: ${sentence}`)

test('code 0 is success, and so is none [BEH-087]', async () => {
  browser.answer({ code: 0, message: '', data: { total: 3 } })
  expect(await ask()).toEqual({ total: 3 })
  browser.answer({ data: { total: 4 } })
  expect(await ask()).toEqual({ total: 4 })
  expect(toasts()).toEqual([])
})

test('every call says the language that is stored, and carries the bearer token [BEH-006, BEH-079]', async () => {
  storage.set('language', 'zh-TW')
  browser.answer({ code: 0, data: {} })
  await ask()
  browser.answer({ code: 0, access_token: 'x', refresh_token: 'y', expires_in: 7200, refresh_expires_in: 9000 })
  await obtainTokens('admin', 'cipher')
  const [call, login] = browser.sent
  expect([call?.headers.get('accept-language'), call?.headers.get('authorization')]).toEqual(['zh-TW', 'Bearer a-token'])
  expect(login?.headers.get('accept-language')).toBe('zh-TW')
  expect(login?.headers.get('authorization')).toBe(`Basic ${btoa('console:')}`)
  expect(String(login?.body)).toBe('grant_type=password&username=admin&password=cipher')
})

test('800000 and 800001 show the sentence of the server [BEH-088]', async () => {
  for (const code of [800_000, 800_001]) {
    browser.refuse(200, code, { message: `Lin is in the group of ${code}` })
    await expect(ask()).rejects.toMatchObject({ code })
  }
  expect(toasts()).toEqual(['error: Lin is in the group of 800000', 'error: Lin is in the group of 800001'])
})

test('100412 ends the session and leads to the login with a reload [BEH-089, STATE:session:logged in>no session]', async () => {
  browser.refuse(401, 100_412)
  await expect(ask()).rejects.toMatchObject({ code: 100_412 })
  expect(visited).toEqual(['/login?reload=1'])
  expect(hasTokens()).toBe(false)
  expect(toasts()).toEqual([])
})

test('100413 leads to the page that says so [BEH-090]', async () => {
  browser.refuse(200, 100_413)
  await expect(ask()).rejects.toMatchObject({ code: 100_413 })
  expect([visited, toasts(), hasTokens()]).toEqual([['/403'], [], true])
})

test('100112, 100402 and 200401 are rejected without a word [BEH-091]', async () => {
  for (const code of [100_112, 100_402, 200_401]) {
    browser.refuse(200, code)
    await expect(ask()).rejects.toMatchObject({ code })
  }
  expect([visited, toasts()]).toEqual([[], []])
})

test('510012 names the items in brackets, then the text [BEH-092]', async () => {
  browser.refuse(200, 510_012, { data: { items: ['Gate 1', 'Gate 2'] } })
  await expect(ask()).rejects.toMatchObject({ code: 510_012 })
  expect(toasts()).toHaveLength(1)
  expect(toasts()[0]).toMatch(/^error: \[Gate 1, Gate 2\] \S/)
})

test('any other code says its own text, one without a text what the server says [BEH-093]', async () => {
  browser.refuse(200, 200_215)
  await expect(ask()).rejects.toMatchObject({ code: 200_215 })
  browser.refuse(200, 299_999)
  await expect(ask()).rejects.toMatchObject({ code: 299_999 })
  expect(toasts()).toEqual([expect.stringMatching(/^error: .*work number/i), 'error: as the server says'])
})

test('a 401 that does not end the session leads to 403 [BEH-094]', async () => {
  browser.refuse(401, 100_999)
  await expect(ask()).rejects.toMatchObject({ status: 401 })
  expect([visited, hasTokens()]).toEqual([['/403'], true])
})

test('on the home page such a 401 only rejects [BEH-095]', async () => {
  standAt('/home?tab=1')
  browser.refuse(401, 100_999)
  await expect(ask()).rejects.toMatchObject({ status: 401 })
  expect([visited, toasts(), hasTokens()]).toEqual([[], [], true])
})

test('a token that ran out clears tokens and storage and leads to the login, which knows where one was [BEH-096]', async () => {
  storage.set('areaCode', '100002')
  browser.refuse(401, 40_120)
  await expect(ask()).rejects.toMatchObject({ code: 40_120 })
  expect(visited).toEqual(['/login'])
  expect([hasTokens(), storage.get('areaCode')]).toEqual([false, undefined])
  storage.set('profile', { id: 'me', deviceUpgradeType: 0 })
  expect([returnAddress.take(), returnAddress.take()]).toEqual(['/staffList', null])
})

test('where one was is not told to the next person', async () => {
  browser.refuse(401, 40_120)
  await expect(ask()).rejects.toMatchObject({ code: 40_120 })
  storage.set('profile', { id: 'somebody else', deviceUpgradeType: 0 })
  expect(returnAddress.take()).toBeNull()
})

test('a 403 of the token call only rejects [BEH-097]', async () => {
  browser.refuse(403, 403)
  await expect(obtainTokens('admin', 'cipher')).rejects.toMatchObject({ status: 403 })
  expect([visited, toasts()]).toEqual([[], []])
})

test('other failures of HTTP say their status and what it means [BEH-098]', async () => {
  browser.refuse(500, 500)
  await expect(ask()).rejects.toMatchObject({ status: 500 })
  browser.refuse(404, 404)
  await expect(ask()).rejects.toMatchObject({ status: 404 })
  expect(toasts()).toEqual([expect.stringMatching(/^error: 500 · \S/), expect.stringMatching(/^error: 404 · \S/)])
})

test('whoever was disabled meanwhile is told so and led to the login', async () => {
  browser.refuse(403, 901)
  await expect(ask()).rejects.toMatchObject({ code: 901 })
  expect(toasts()).toEqual([expect.stringMatching(/disabled/)])
  expect([visited, hasTokens()]).toEqual([['/login'], false])
})

test(
  'a refresh token that ran out says so and asks for the login [BEH-074, STATE:session:logged in>expired, ' +
    'STATE:session:expired>no session]',
  async () => {
    storage.set('tokenExpires', Date.now() - 1)
    browser.refuse(400, 100_412)
    await expect(ask()).rejects.toMatchObject({ code: 'REFRESH_TOKEN_EXPIRED' })
    expect(toasts()).toEqual([expect.stringMatching(/^error: .*(expired|ended)/i)])
    expect([visited, hasTokens()]).toEqual([['/login'], false])
  },
)

test('what a page asks after its session ended neither says anything nor leads elsewhere than where one is going [BEH-018]', async () => {
  browser.refuse(401, 100_412)
  await expect(ask()).rejects.toMatchObject({ code: 100_412 })
  expect(visited).toHaveLength(1)
  const said = toasts()
  for (const call of [ask, ask]) await expect(call()).rejects.toMatchObject({ code: 'REFRESH_TOKEN_MISSING' })
  expect([visited.length, toasts()]).toEqual([1, said])
  // The calls of the login page are handled as usual.
  browser.refuse(200, 800_000, { message: 'Not like this' })
  await expect(request(lookCalls.uiConfig, {})).rejects.toMatchObject({ code: 800_000 })
  expect(toasts()).toEqual([...said, 'error: Not like this'])
})

test('a missing refresh token says to log in again [BEH-075]', async () => {
  storage.remove('refreshToken')
  storage.set('tokenExpires', Date.now() - 1)
  await expect(ask()).rejects.toMatchObject({ code: 'REFRESH_TOKEN_MISSING' })
  expect(toasts()).toEqual([expect.stringMatching(/^error: .*log in/i)])
  expect(visited).toEqual(['/login'])
})

test('leaving a page cancels what it asked for, fifty at most, and nobody hears of it [BEH-034]', async () => {
  vi.stubGlobal(
    'fetch',
    (_address: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  )
  const asked = Array.from({ length: CANCEL_LIST_MAX + 1 }, () => request(peopleCalls.summary, {}, { cancellable: true }))
  const ends = asked.map((one) =>
    one.then(
      () => 'answered',
      (error: { code: string }) => error.code,
    ),
  )
  await vi.waitFor(() => expect(pendingRequests.size).toBe(CANCEL_LIST_MAX))
  pendingRequests.cancelAll()
  expect(await Promise.all(ends.slice(1))).toEqual(Array.from({ length: CANCEL_LIST_MAX }, () => 'NAVIGATION_CANCELLED'))
  expect([toasts(), visited]).toEqual([[], []])
})

test('a call made silently is refused without a toast or another page', async () => {
  for (const [status, code] of [
    [200, 100_413],
    [500, 500],
    [403, 100_510],
    [401, 100_999],
  ] as const) {
    browser.refuse(status, code)
    await expect(request(identityCalls.profile, {}, { errors: 'silent' })).rejects.toMatchObject({ code })
  }
  expect([visited, toasts()]).toEqual([[], []])
})

test('a session that is told to set up a second factor first is shown that, whatever it asked for', async () => {
  useSession.setState({ profile: { secondFactorMissing: false } as Profile })
  for (const errors of ['toast', 'inline', 'silent'] as const) {
    browser.refuse(403, 403, { data: { fields: [{ path: '', rule: 'secondFactorNeeded' }] } })
    await expect(request(peopleCalls.summary, {}, { errors })).rejects.toMatchObject({ status: 403 })
    expect(useSession.getState().profile?.secondFactorMissing).toBe(true)
  }
  expect([visited, toasts(), hasTokens()]).toEqual([[], [], true])
})

test('a call that asks for the password waits for it, goes on by itself, and asks anew where the server wants it nonetheless', async () => {
  /** Type the password, or cancel, as soon as the question is shown. */
  const typing = async (typed: boolean): Promise<void> => {
    await vi.waitFor(() => expect(useAsking.getState().asking).not.toBeNull())
    useAsking.getState().asking!.end(typed)
    await vi.waitFor(() => expect(useAsking.getState().asking).toBeNull())
  }
  // The user of the tests before has logged out.
  dropTokens()
  storage.set('token', 'a-token')
  storage.set('refreshToken', 'another')
  storage.set('tokenExpires', Date.now() + 3_600_000)
  const approve = () => request(upgradeCalls.approve, { params: { id: 'one' } })
  const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)
  const left = outcomeOf(approve())
  await typing(false)
  expect(await left).toMatchObject({ cancelled: true })
  expect([browser.sent, toasts()]).toEqual([[], []])
  const [later, sooner] = [vi.fn<() => void>(), vi.fn<() => void>()]
  afterConfirmation(later)
  await typing(false)

  // Two calls at once share one question.
  browser.answer({ code: 0, data: { devices: 1 } })
  browser.answer({ code: 0, data: { devices: 2 } })
  const both = Promise.all([approve(), approve()])
  await typing(true)
  expect(await both).toEqual([{ devices: 1 }, { devices: 2 }])
  // For some minutes the password is not asked for again.
  browser.answer({ code: 0, data: { devices: 3 } })
  expect(await approve()).toEqual({ devices: 3 })
  afterConfirmation(sooner)
  expect([later.mock.calls, sooner.mock.calls]).toEqual([[], [[]]])

  const refuse = () => browser.refuse(403, 403, { data: { fields: [{ path: '', rule: 'passwordNeeded' }] } })
  refuse()
  browser.answer({ code: 0, data: { devices: 4 } })
  const again = approve()
  await typing(true)
  expect(await again).toEqual({ devices: 4 })
  // The call is repeated only once: the second refusal is final.
  refuse()
  refuse()
  const refused = outcomeOf(approve())
  await typing(true)
  expect(await refused).toMatchObject({ status: 403 })
  expect(browser.sent).toHaveLength(7)
})
