import i18next from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { beforeAll, expect, test, vi } from 'vitest'
import common from '../i18n/zh-CN/common.json' with { type: 'json' }
import { Connection } from '../shared/Connection.tsx'

const MINUTE = 60_000
const DAY = 86_400_000

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'zh-CN', defaultNS: 'common', resources: { 'zh-CN': { common } } }))

test('a device that is online is said to be so since it came, and one that is not when it was last there', () => {
  // In the time zone of this machine: no answer has set that of a park.
  const here = new Date(2026, 10, 24, 5, 40).getTime()
  vi.useFakeTimers({ now: here })
  const said = (onlineSince: number | null): string =>
    renderToStaticMarkup(
      createElement(I18nextProvider, { i18n: i18next }, createElement(Connection, { of: { onlineSince, lastSeenAt: here - 3 * MINUTE } })),
    ).replace(/<[^>]*>/g, '')
  expect(said(here - 63 * MINUTE)).toBe('自 04:37 在线')
  expect(said(here - DAY - 63 * MINUTE)).toBe('自 11-23 04:37 在线')
  expect(said(null)).toBe('3 分钟前')
  vi.useRealTimers()
})
