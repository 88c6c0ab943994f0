import { beforeEach, expect, test, vi } from 'vitest'
import { ALARM_SOUND_DEFAULT } from '@gatehouse/contract'
import { storage } from '../../api/storage.ts'
import { fakeBrowser } from '../../api/testing/browser.ts'

/** The sound of a browser, granted or not: records the frequency of each note that is started. */
let started: number[]
let isGranted: boolean
const parameter = () => ({ value: 0, setValueAtTime: () => {}, linearRampToValueAtTime: () => {} })
const node = () => ({ connect: (to: unknown) => to, disconnect: () => {} })
class FakeAudio {
  state = 'suspended'
  currentTime = 0
  destination = node()
  async resume() {
    if (!isGranted) return new Promise<void>(() => {})
    this.state = 'running'
  }
  async suspend() {
    this.state = 'suspended'
  }
  createGain = () => ({ ...node(), gain: parameter() })
  createOscillator = () => {
    const frequency = parameter()
    return { ...node(), type: '', frequency, start: () => started.push(frequency.value), stop: () => {}, addEventListener: () => {} }
  }
}

beforeEach(async () => {
  await fakeBrowser()
  started = []
  isGranted = true
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('navigator', {})
  vi.resetModules()
})
const sound = () => import('./sound.ts')

test('an alarm is heard once, whichever tab takes it first', async () => {
  const here = await sound()
  expect(await here.ring('watchList', ['a'])).toBe('here')
  const { notes, times } = here.FIGURES.watchList
  expect(started).toHaveLength(notes.length * times)
  vi.resetModules()
  const there = await sound()
  expect(await there.ring('watchList', ['a'])).toBe('elsewhere')
  expect(await there.ring('watchList', ['a', 'b'])).toBe('here')
  expect(started).toHaveLength(2 * notes.length * times)
})

test('the two alarms do not sound alike, and the milder one does not cut off the other', async () => {
  const { FIGURES, ring } = await sound()
  const [hit, offline] = [FIGURES.watchList, FIGURES.deviceOffline]
  expect([hit.wave === offline.wave, hit.times > offline.times]).toEqual([false, true])
  await ring('watchList', ['a'])
  started = []
  expect(await ring('deviceOffline', ['b'])).toBe('here')
  expect(started).toEqual([])
})

test('the two sounds of alarms differ, and play for five seconds at most [BEH-124]', async () => {
  const { ALARM_SOUNDS, FIGURES } = await sound()
  const figures = Object.values(ALARM_SOUNDS).map((name) => FIGURES[name])
  expect(figures).toHaveLength(2)
  for (const { notes, every, times } of figures) {
    const [at, lasts] = notes.at(-1)!
    const milliseconds = 1000 * ((times - 1) * every + at + lasts)
    expect(milliseconds).toBeGreaterThan(ALARM_SOUND_DEFAULT - 1000)
    expect(milliseconds).toBeLessThanOrEqual(ALARM_SOUND_DEFAULT)
  }
  expect(figures[0]!.wave).not.toBe(figures[1]!.wave)
})

test('alarms that come faster than their sound plays do not begin it again', async () => {
  const { ring } = await sound()
  await ring('alarmFirst', ['a'])
  const once = started.length
  await ring('alarmFirst', ['b'])
  expect(started).toHaveLength(once)
  // A more urgent one is heard at once.
  await ring('watchList', ['c'])
  expect(started.length).toBeGreaterThan(once)
})

test('visits ring once, and do not cut off what is more urgent', async () => {
  const { FIGURES, ring } = await sound()
  expect(await ring('visit', ['a'])).toBe('here')
  expect(started).toEqual(FIGURES.visit.notes.map(([, , pitch]) => pitch))
  await ring('deviceOffline', ['b'])
  started = []
  expect(await ring('visit', ['c'])).toBe('here')
  expect(started).toEqual([])
})

test('muted it is silent until somebody logs in anew, but can still be tried', async () => {
  const { mute, playNow, ring } = await sound()
  mute(true)
  expect([await ring('watchList', ['a']), started]).toEqual(['muted', []])
  expect(await playNow('deviceOffline')).toBe(true)
  expect(started.length).toBeGreaterThan(0)
  storage.clear({ drafts: 'keep' })
  expect(await ring('watchList', ['b'])).toBe('here')
})

test('a browser that does not let the page sound is told of, unless another tab was heard', async () => {
  const { playNow, ring } = await sound()
  isGranted = false
  vi.useFakeTimers()
  const blocked = ring('watchList', ['a'])
  await vi.runAllTimersAsync()
  expect(await blocked).toBe('blocked')
  const elsewhere = ring('watchList', ['b'])
  storage.set('alarmsRung', ['b'])
  await vi.runAllTimersAsync()
  expect(await elsewhere).toBe('elsewhere')
  vi.useRealTimers()
  // The browser waits for the button to be pressed.
  isGranted = true
  expect(await playNow('watchList')).toBe(true)
})

test('the tone of a passage is short, and never cuts off an alarm', async () => {
  const { FIGURES, playTone, ring } = await sound()
  expect(await playTone('admitted')).toBe(true)
  expect(started).toEqual(FIGURES.admitted.notes.map(([, , pitch]) => pitch))
  await ring('deviceOffline', ['a'])
  started = []
  expect(await playTone('refused')).toBe(true)
  expect(started).toEqual([])
})

test('a tone that the browser does not let be heard is told of, until the page is touched', async () => {
  const { askForSound, playTone } = await sound()
  isGranted = false
  vi.useFakeTimers()
  const blocked = playTone('refused')
  await vi.runAllTimersAsync()
  expect([await blocked, started]).toEqual([false, []])
  vi.useRealTimers()
  isGranted = true
  expect(await askForSound()).toBe(true)
})
