import { scoreOfRate } from '@gatehouse/contract/score'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { describe, expect, test } from 'vitest'
import { accessDeviceOf, thresholdAt } from './device.ts'

/** One in a thousand: a score of 70. */
const LOOSEST = 1e-3
const holding = (templates: number) => ({ templates, loosest: LOOSEST })
const settings: DeviceSettings = {
  deviceId: 'door',
  name: 'Door',
  direction: 1,
  zone: 'UTC',
  threshold: 97.4,
  secondVerification: null,
  factorTimeoutMs: 10_000,
  margin: 0,
  lookAlikeMargin: 0,
  liveness: null,
}
const promising = (strangersPerThousand: number) => ({ ...settings, promise: { strangersPerThousand } })

describe('what a device asks of a face', () => {
  test('without a promise it is the threshold sent, however many are held', () => {
    for (const templates of [0, 1, 300, 50_000]) {
      expect(thresholdAt(settings, holding(templates))).toBe(97.4)
      expect(accessDeviceOf(settings, holding(templates)).thresholds).toEqual({ face: 97.4 })
    }
  })

  test('with one it keeps half of what is promised for the faces held, and says for how many', () => {
    for (const [templates, strangers] of [
      [50, 10],
      [150, 1],
      [300, 0.1],
      [50_000, 10],
    ] as const) {
      const face = scoreOfRate(strangers / 1000 / 2 / templates)
      expect(thresholdAt(promising(strangers), holding(templates))).toBeCloseTo(face, 9)
      expect(accessDeviceOf(promising(strangers), holding(templates)).thresholds).toEqual({ face: expect.closeTo(face, 9), templates })
    }
  })

  test('ten times as many faces, or a tenth of the strangers, are ten points more', () => {
    const at = (strangers: number, templates: number) => thresholdAt(promising(strangers), holding(templates))
    expect(at(10, 1_000) - at(10, 100)).toBeCloseTo(10, 9)
    expect(at(1, 100) - at(10, 100)).toBeCloseTo(10, 9)
  })

  test('where those who may come are more alike than others it is more, worked out for what is held there', () => {
    const curve = { score: 75, rate: 0.01, pointsPerTenfold: 12 }
    const alike = { ...settings, promise: { strangersPerThousand: 10, curve } }
    for (const templates of [50, 150, 3_000]) {
      const shipped = thresholdAt(promising(10), holding(templates))
      // One in a hundred at 75, 12 points for each ten times fewer; people who were measured need no caution.
      const own = 75 + 12 * Math.log10((0.01 * templates) / 0.01)
      expect(thresholdAt(alike, holding(templates))).toBeCloseTo(own, 9)
      expect(own).toBeGreaterThan(shipped)
    }
    const unlike = { ...settings, promise: { strangersPerThousand: 10, curve: { ...curve, score: 30 } } }
    expect(thresholdAt(unlike, holding(150))).toBe(thresholdAt(promising(10), holding(150)))
  })

  test('is never less than the model is recommended with, and the same for one face as for none', () => {
    expect(thresholdAt(promising(100), holding(2))).toBeCloseTo(scoreOfRate(LOOSEST), 9)
    expect(thresholdAt(promising(0.1), holding(0))).toBe(thresholdAt(promising(0.1), holding(1)))
  })

  test('whoever does not know what is held goes by the threshold sent', () => {
    expect(accessDeviceOf(promising(10)).thresholds).toEqual({ face: 97.4 })
  })

  test('a threshold of the device alone is fixed, whatever is promised or held', () => {
    const own = { ...promising(0.1), configuration: terminalSettingValues.parse({ threshold: 62.5 }) }
    expect(accessDeviceOf(own, holding(300)).thresholds).toEqual({ face: 62.5 })
    expect(accessDeviceOf(own).thresholds).toEqual({ face: 62.5 })
    const none = { ...promising(10), configuration: terminalSettingValues.parse({}) }
    expect(accessDeviceOf(none, holding(300)).thresholds).toMatchObject({ templates: 300 })
  })
})
