import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { showLanguage } from './index.ts'

test('the texts of a page are asked for in the language shown alone, and what does not exist is not asked for again', async () => {
  vi.stubGlobal('document', { documentElement: {}, addEventListener: () => {}, hidden: true })
  // With clocks that stand still, a second try never comes: whoever waits for one is never done.
  vi.useFakeTimers()
  await showLanguage('zh-CN')
  await i18next.loadNamespaces(['people'])
  expect([i18next.hasResourceBundle('zh-CN', 'people'), i18next.languages]).toEqual([true, ['zh-CN']])
  await i18next.loadNamespaces(['nothing']).catch(() => {})
  expect(i18next.hasResourceBundle('zh-CN', 'nothing')).toBe(false)
})
