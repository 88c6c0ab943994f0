import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AREA_NAME_POLL } from '@gatehouse/contract'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { setNavigation } from '../../kit/navigation.ts'
import { storage } from '../../api/storage.ts'
import { fakeBrowser, type FakeBrowser } from '../../api/testing/browser.ts'
import { sayParkSwitched, switchPark } from './switchPark.ts'
import { storedAreaName, watchArea } from './useAreaName.ts'

/** What happened, in order. */
const happened = vi.hoisted(() => [] as string[])
vi.mock('../../kit/feedback.tsx', () => ({ toast: (kind: string) => happened.push(`toast ${kind}`) }))

let browser: FakeBrowser
beforeEach(async () => {
  browser = await fakeBrowser()
  happened.length = 0
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    happened.push(`${init.method} ${address}`)
    return fetch(address, init)
  })
  vi.stubGlobal('window', { location: { reload: () => happened.push('reload') } })
  setNavigation({ go: (to) => void happened.push(`go ${to}`), address: () => '/staffList' })
  storage.set('token', 'mine')
  storage.set('tokenExpires', Date.now() + 7_200_000)
  storage.set('areaCode', '100002')
  storage.set('areaName', 'North')
})
afterEach(() => vi.useRealTimers())

const CHOOSE = `POST ${organisationCalls.choicePark.url}`
const INFO = `GET ${organisationCalls.parkInfo.url}`
const south = { areaCode: '200003', parkName: 'South' }
const info = {
  id: 'south',
  areaCode: '200003',
  parkName: 'South',
  zone: 'UTC',
  resources: [{ permissionCode: 'person.list' }],
  parkType: 3,
  showCustomerManagerFlag: 1,
  staffFaceRegisterFlag: 0,
  customerFaceRegisterFlag: 1,
}

test(
  'a switch says so, stores the area, goes home, fetches and stores the park, and loads the page afresh [BEH-061, BEH-062, ' +
    'BEH-063, BEH-064, BEH-065, BEH-066]',
  async () => {
    browser.answer({ code: 0, data: { areaCode: '200003', areaName: 'South' } })
    browser.answer({ code: 0, data: info })
    await switchPark(south)
    expect(happened).toEqual([CHOOSE, 'toast success', 'go /home', INFO, 'reload'])
    expect(JSON.parse(String(browser.sent[0]?.body))).toEqual({ areaCode: '200003' })
    expect([storage.get('areaCode'), storage.get('areaName')]).toEqual(['200003', 'South'])
    const flags = ['parkType', 'parkTitle', 'showCustomerManagerFlag', 'staffFaceRegisterFlag', 'customerFaceRegisterFlag'] as const
    expect(flags.map((flag) => storage.get(flag))).toEqual([3, 3, 1, 0, 1])
    const { useSession } = await import('../../api/session.ts')
    expect(useSession.getState().park?.resources).toEqual([{ permissionCode: 'person.list' }])
    sayParkSwitched()
    sayParkSwitched()
    expect(happened.slice(5)).toEqual(['toast success'])
  },
)

test('a refused switch changes nothing and says nothing [BEH-067]', async () => {
  for (const [status, code] of [
    [200, 100_413],
    [500, 500],
  ] as const) {
    browser.refuse(status, code)
    await switchPark(south)
  }
  await switchPark(south)
  expect(happened).toEqual([CHOOSE, CHOOSE, CHOOSE])
  expect([storage.get('areaCode'), storage.get('areaName')]).toEqual(['100002', 'North'])
})

test('a park whose data do not arrive is read after the reload, without a word [BEH-067]', async () => {
  browser.answer({ code: 0, data: { areaCode: '200003', areaName: 'South' } })
  browser.refuse(500, 500)
  await switchPark(south)
  expect(happened).toEqual([CHOOSE, 'toast success', 'go /home', INFO, 'reload'])
})

test('the stored name of the park is looked at every six seconds [BEH-043]', () => {
  vi.useFakeTimers()
  const stop = watchArea()
  storage.set('areaName', 'Elsewhere')
  vi.advanceTimersByTime(AREA_NAME_POLL - 1)
  expect(storedAreaName()).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect([AREA_NAME_POLL, storedAreaName()]).toEqual([6000, 'Elsewhere'])
  stop()
  storage.set('areaName', 'North')
  vi.advanceTimersByTime(AREA_NAME_POLL)
  expect(storedAreaName()).toBe('Elsewhere')
})
