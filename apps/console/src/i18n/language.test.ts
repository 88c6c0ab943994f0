import { beforeEach, expect, test, vi } from 'vitest'
import { storage } from '../api/storage.ts'
import { fakeBrowser } from '../api/testing/browser.ts'
import { preferredLanguage } from './index.ts'

beforeEach(() => fakeBrowser())
const browserSays = (language: string) => vi.stubGlobal('navigator', { language })

test('a saved language comes first [BEH-001]', () => {
  browserSays('zh-CN')
  storage.set('language', 'en')
  expect(preferredLanguage()).toBe('en')
  storage.set('language', 'fr')
  expect(preferredLanguage()).toBe('zh-CN')
})

test('Chinese of Taiwan is Traditional [BEH-002]', () => {
  browserSays('zh-TW')
  expect(preferredLanguage()).toBe('zh-TW')
})

test('Chinese of Hong Kong is Traditional [BEH-003]', () => {
  browserSays('zh-HK')
  expect(preferredLanguage()).toBe('zh-TW')
})

test('any other Chinese is Simplified [BEH-004]', () => {
  for (const language of ['zh', 'zh-CN', 'zh-SG', 'ZH-cn']) {
    browserSays(language)
    expect(preferredLanguage(), language).toBe('zh-CN')
  }
})

test('any other language is English [BEH-005]', () => {
  for (const language of ['en-GB', 'fr', 'ja-JP', 'zhx', '']) {
    browserSays(language)
    expect(preferredLanguage(), language).toBe('en')
  }
})
