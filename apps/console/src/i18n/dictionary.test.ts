import i18next from 'i18next'
import { expect, onTestFinished, test, vi } from 'vitest'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }

const served = vi.hoisted(() => ({
  answer: (): Promise<object> => Promise.resolve({ labels: {}, version: 0 }),
  profile: undefined as object | undefined,
}))
vi.mock('../api/request.ts', () => ({ request: () => served.answer() }))
vi.mock('../api/session.ts', () => ({ useSession: { subscribe: () => {}, getState: () => ({ profile: served.profile }) } }))
vi.stubGlobal('document', { hidden: false })

const { followDictionary, layDictionary, takeOwnWords } = await import('./dictionary.ts')

test('own words stand over the built-in ones, which stay as they are and come back', async () => {
  await i18next.init({ lng: 'en', resources: { en: { enums: en } } })
  let said = 0
  i18next.on('languageChanged', () => said++)
  layDictionary('en', en)
  const word = (): string => i18next.t('gender.1', { ns: 'enums' })
  expect(word()).toBe('Male')
  takeOwnWords({ labels: { en: { gender: { '1': 'Gentleman' } }, 'zh-CN': { gender: { '1': '男士' } } }, version: 1 })
  expect([word(), said]).toEqual(['Gentleman', 1])
  expect(en.gender['1']).toBe('Male')
  expect(i18next.t('gender.2', { ns: 'enums' })).toBe('Female')
  // The same version again: nothing has to be rendered again.
  takeOwnWords({ labels: {}, version: 1 })
  expect([word(), said]).toEqual(['Gentleman', 1])
  takeOwnWords({ labels: {}, version: 2 })
  expect([word(), said]).toEqual(['Male', 2])
})

test('words are read also where the session was there before the language, and not taken where a change has overtaken them', async () => {
  await i18next.init({ lng: 'en', resources: { en: { enums: en } } })
  layDictionary('en', en)
  const word = (): string => i18next.t('gender.1', { ns: 'enums' })
  const own = (label: string, version: number) => ({ labels: { en: { gender: { '1': label } } }, version })
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  served.profile = {}
  served.answer = async () => own('Gentleman', 3)
  followDictionary()
  await vi.advanceTimersByTimeAsync(0)
  expect(word()).toBe('Gentleman')

  let answer = (_: object): void => {}
  served.answer = () => new Promise((resolve) => (answer = resolve))
  await vi.advanceTimersByTimeAsync(60_000)
  takeOwnWords(own('Sir', 4))
  answer(own('Gentleman', 3))
  await vi.advanceTimersByTimeAsync(0)
  expect(word()).toBe('Sir')
})
