import i18next from 'i18next'
import { beforeAll, expect, test, vi } from 'vitest'
import { ADMINISTRATOR_NAME, ALWAYS_RULE_NAME, VISITOR_GROUP_NAME } from '@gatehouse/contract/built-in-names'
import { shownName } from '../kit/shownName.ts'
import { showLanguage } from './index.ts'

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, addEventListener: () => {}, hidden: true })
  // With fake timers that stand still a second try never happens, and code that waits for one never finishes.
  vi.useFakeTimers()
  await showLanguage('zh-CN')
})

test('the texts of a page are asked for in the language shown alone, and what does not exist is not asked for again', async () => {
  await i18next.loadNamespaces(['people'])
  expect([i18next.hasResourceBundle('zh-CN', 'people'), i18next.languages]).toEqual([true, ['zh-CN']])
  await i18next.loadNamespaces(['nothing']).catch(() => {})
  expect(i18next.hasResourceBundle('zh-CN', 'nothing')).toBe(false)
})

test('large numbers are grouped, and what the product named itself is shown in the language, but not what users named', async () => {
  await i18next.loadNamespaces(['records'])
  expect(i18next.t('records:totalAtLeast', { count: 10_000 })).toBe('超过 10,000 条')
  expect([ALWAYS_RULE_NAME, ADMINISTRATOR_NAME, VISITOR_GROUP_NAME, 'Nights'].map(shownName)).toEqual([
    '全天',
    '系统管理员',
    '访客',
    'Nights',
  ])
})
