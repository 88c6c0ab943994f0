import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import i18next from 'i18next'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import common from '../../i18n/zh-CN/common.json' with { type: 'json' }
import people from '../../i18n/zh-CN/people.json' with { type: 'json' }
import approvals from '../../i18n/zh-CN/approvals.json' with { type: 'json' }
import { readOptions } from '../../api/query.ts'
import { PermitEffectLine } from '../approvals/permit/PermitEffectLine.tsx'
import { NO_PERMIT } from '../approvals/permit/permitValue.ts'
import { Registered } from './Registered.tsx'

// Typed values count as settled from the beginning.
vi.mock('../../kit/useSettled.ts', () => ({ useSettled: (text: string) => text }))

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'zh-CN',
    defaultNS: 'common',
    resources: { 'zh-CN': { approvals, common, people } },
    interpolation: { escapeValue: false },
  }),
)

/** Return the text on screen, with answers of the server in the cache. */
function wordsOf(shown: ReactElement, answered: (cache: QueryClient) => void): string {
  const cache = new QueryClient()
  answered(cache)
  const within = createElement(QueryClientProvider, { client: cache }, createElement(MemoryRouter, null, shown))
  return renderToStaticMarkup(createElement(I18nextProvider, { i18n: i18next }, within)).replace(/<[^>]*>/g, '')
}

test('terminals that lack a photo of who has just been registered are not said to be on their way to them', () => {
  const said = (...statuses: number[]): string => {
    const devices = statuses.map((status, at) => ({ deviceId: `${at}`, status, leaving: false }))
    const shown = createElement(Registered, {
      personId: '1',
      kind: 'staff',
      justSaved: { registered: true },
      setJustSaved: () => {},
      permit: () => {},
    })
    return wordsOf(shown, (cache) => {
      cache.setQueryData(readOptions(strategyCalls.ofPerson, { query: { personId: '1' } }).queryKey, devices as never)
      cache.setQueryData(readOptions(synchronisationCalls.devicesOfPerson, { query: { personId: '1', size: PAGE_SIZE_MAX } }).queryKey, {
        content: devices,
        total: devices.length,
      } as never)
    })
  }
  expect(said(personSyncStatus.photoMissing)).toContain('缺少照片')
  expect(said(personSyncStatus.photoMissing)).not.toContain('已有 0 台收到')
  expect(said(personSyncStatus.syncing, personSyncStatus.success)).toContain('2 台终端中已有 1 台收到')
})

test('one person is not counted, and several are', () => {
  const said = (...personIds: string[]): string => {
    const body = { ...NO_PERMIT, personIds }
    const effect = { already: { total: 0, doors: [] }, gain: { total: 0, doors: [], always: true, timeRules: [] }, longer: 0 }
    return wordsOf(createElement(PermitEffectLine, { value: NO_PERMIT, personIds, groupId: undefined }), (cache) => {
      cache.setQueryData(readOptions(permitCalls.effect, { body }).queryKey, effect as never)
    })
  }
  expect(said()).toBe('此人目前没有可通行的门点。')
  expect(said('1')).toBe('此人目前没有可通行的门点。')
  expect(said('1', '2')).toBe('这 2 人目前没有可通行的门点。')
})
