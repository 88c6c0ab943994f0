import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_IN_SETTINGS, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../device/testing/folder.ts'
import { openLocalSettings } from './local-settings.ts'

/** Settings of a folder, with a server that sets what the test chooses. */
function opened(folder = scratchFolder()) {
  const fixture: { server: TerminalSettings | null; sentences: string[] } = { server: null, sentences: [] }
  const settings = openLocalSettings({ folder, fromServer: () => fixture.server, log: (sentence) => void fixture.sentences.push(sentence) })
  return { settings, fixture, folder, file: join(folder, 'settings.json') }
}
const fromServer = (values: Partial<TerminalSettings>): TerminalSettings => ({ ...BUILT_IN_SETTINGS, ...values })

describe('what holds', () => {
  test('is built in, then what was set here, then what the server sets; a field it leaves null stays ours', () => {
    const { settings, fixture } = opened()
    expect(settings.effective()).toEqual(BUILT_IN_SETTINGS)
    expect(settings.sources().volume).toBe('builtIn')
    settings.set({ volume: 10, threshold: 85 })
    expect(settings.effective()).toMatchObject({ volume: 10, threshold: 85, promptText: '' })
    expect(settings.sources()).toMatchObject({ volume: 'local', threshold: 'local', promptText: 'builtIn' })
    fixture.server = fromServer({ volume: 80, threshold: null })
    settings.refresh()
    expect(settings.effective()).toMatchObject({ volume: 80, threshold: 85 })
    expect(settings.sources()).toMatchObject({ volume: 'server', threshold: 'local', promptText: 'server' })
    fixture.server = null
    settings.refresh()
    expect(settings.effective().volume).toBe(10)
  })

  test('is told to listeners when it becomes another, and only then', () => {
    const { settings, fixture } = opened()
    const heard: [number, number][] = []
    const end = settings.onChange((now, before) => void heard.push([before.volume, now.volume]))
    settings.set({ volume: 10 })
    settings.set({ volume: 10 })
    fixture.server = fromServer({ volume: 5 })
    settings.refresh()
    settings.refresh()
    settings.set({ volume: 90 })
    end()
    fixture.server = null
    settings.refresh()
    expect(heard).toEqual([
      [60, 10],
      [10, 5],
    ])
  })
})

describe('what is set here', () => {
  test('is there after a restart, until it is taken back', () => {
    const { settings, folder } = opened()
    settings.set({ promptText: '  Masks, please ', volume: 0, timeZone: 345 })
    expect(opened(folder).settings.local()).toEqual({ promptText: 'Masks, please', volume: 0, timeZone: 345 })
    settings.set({ promptText: null })
    expect(opened(folder).settings.local()).toEqual({ volume: 0, timeZone: 345 })
    settings.reset()
    expect(opened(folder).settings.effective()).toEqual(BUILT_IN_SETTINGS)
  })

  test('changes nothing where a field does not fit, also beside another', () => {
    const { settings, file } = opened()
    settings.set({ volume: 20, threshold: 70 })
    const before = readFileSync(file, 'utf8')
    const refusedAt = (values: Parameters<typeof settings.set>[0]) => {
      try {
        settings.set(values)
        return null
      } catch (error) {
        return (error as { issues: { path: unknown[] }[] }).issues.map(({ path }) => path.join('.'))
      }
    }
    expect(refusedAt({ volume: 101 })).toEqual(['volume'])
    expect(refusedAt({ lowThreshold: 75, volume: 30 })).toEqual(['lowThreshold'])
    expect(refusedAt({ networkMode: 2, ip: '192.168.1.20' })).toEqual(['subnetMask', 'gateway'])
    expect(settings.effective()).toMatchObject({ volume: 20, threshold: 70, lowThreshold: null, networkMode: null })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('is passed over where this version cannot read it, with a sentence, and the rest holds', () => {
    const { folder, file } = opened()
    writeFileSync(file, JSON.stringify({ volume: 30, promptText: 7, brightness: 9 }))
    const { settings, fixture } = opened(folder)
    expect(settings.local()).toEqual({ volume: 30 })
    expect(fixture.sentences.join()).toMatch(/promptText, brightness/)
    writeFileSync(file, '{ torn')
    expect(opened(folder).settings.effective()).toEqual(BUILT_IN_SETTINGS)
  })
})
