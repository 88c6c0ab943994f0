import { describe, expect, test } from 'vitest'
import { alarmHandlingStatus, alarmLevel } from '../enums/alarms.ts'
import { replayAlarms, summaryOfReplay, type ComparedCapture, type ReplaySettings } from './replay-rules.ts'

const SETTINGS: ReplaySettings = { threshold: 70, lowThreshold: 75, highThreshold: 90, strangerAlarm: false, repeatSeconds: 60 }
let captures = 0
const seen = (second: number, personId: string | null, score: number | null, more: Partial<ComparedCapture> = {}): ComparedCapture => ({
  id: `capture ${++captures}`,
  time: second * 1000,
  deviceId: 'gate',
  personId,
  score,
  alarmStatus: null,
  ...more,
})
const replay = (rows: readonly ComparedCapture[], settings: Partial<ReplaySettings> = {}) =>
  replayAlarms(rows, { ...SETTINGS, ...settings })

describe('the alarms of compared captures', () => {
  test('begin at the threshold, which is inclusive, and have the level of their score', () => {
    const rows = [seen(0, 'ann', 69.99), seen(1, 'bob', 70), seen(2, 'cid', 75), seen(3, 'dan', 90), seen(4, 'eve', 104)]
    const { low, medium, high } = alarmLevel
    expect(replay(rows).map(({ personId, level, score }) => [personId, level, score])).toEqual([
      ['bob', low, 70],
      ['cid', medium, 75],
      ['dan', high, 90],
      ['eve', high, 104],
    ])
    expect(replay(rows, { threshold: 105 })).toEqual([])
  })

  test('count who comes by again within the interval, at the same device, from the last time on', () => {
    const rows = [
      seen(0, 'ann', 80),
      seen(60, 'ann', 95),
      seen(61, 'bob', 80),
      seen(62, 'ann', 80, { deviceId: 'yard' }),
      seen(120.001, 'ann', 80),
      seen(180.001, 'ann', 80),
    ]
    expect(replay(rows).map(({ personId, captures: count, capture, lastTime }) => [personId, count, capture.time, lastTime])).toEqual([
      ['ann', 2, 0, 60_000],
      ['bob', 1, 61_000, 61_000],
      ['ann', 1, 62_000, 62_000],
      ['ann', 2, 120_001, 180_001],
    ])
    expect(replay(rows, { repeatSeconds: 0 })).toHaveLength(6)
  })

  test('are raised by strangers together where the task asks for that, and by whoever misses the threshold as a stranger', () => {
    const rows = [seen(0, 'ann', 69), seen(10, null, null), seen(20, 'bob', 95), seen(80, 'ann', 1)]
    expect(replay(rows).map(({ personId }) => personId)).toEqual(['bob'])
    const alarms = replay(rows, { strangerAlarm: true })
    expect(alarms.map(({ personId, level, captures: count }) => [personId, level, count])).toEqual([
      [null, alarmLevel.medium, 2],
      ['bob', alarmLevel.high, 1],
      [null, alarmLevel.medium, 1],
    ])
  })

  test('say what became of the alarms that there really were', () => {
    const rows = [
      seen(0, 'ann', 80),
      seen(10, 'ann', 80, { alarmStatus: alarmHandlingStatus.misinformation }),
      seen(20, 'bob', 80, { alarmStatus: alarmHandlingStatus.undealt }),
      seen(30, 'cid', 80),
      seen(900, 'ann', 91),
    ]
    expect(summaryOfReplay(replay(rows))).toEqual({
      alarms: 4,
      strangers: 0,
      wereRaised: 2,
      wereFalse: 1,
      byLevel: new Map([
        [alarmLevel.medium, 3],
        [alarmLevel.high, 1],
      ]),
      byPerson: [
        { personId: 'ann', alarms: 2 },
        { personId: 'bob', alarms: 1 },
        { personId: 'cid', alarms: 1 },
      ],
    })
  })
})
