import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MaintenanceBubble } from '@gatehouse/contract/alarms/maintenance-alarms'
import type { FaceAlarmBubble } from '@gatehouse/contract/alarms/face-alarms'
import { alarmHandlingStatus, alarmHandlingStatusAlt, alarmLevel, alarmPopupStay, alarmSound } from '@gatehouse/contract/enums/alarms'
import { LATE, NONE_UNSHOWN, takeHits, without, type Alarms } from './alarms.ts'
import { createBursts } from './bursts.ts'
import { joinedFrames, takeAlarms, type AlarmFrame } from './centre.ts'
import { ALL_ALARMS, isChosenTask, withExistingTasks } from './kinds.ts'

const NOW = 1_800_000_000_000
const NONE: Alarms = { bubbles: [], more: 0, unshown: NONE_UNSHOWN, dismissed: [] }

const face = (id: string, more: Partial<FaceAlarmBubble> = {}): FaceAlarmBubble => ({
  id,
  captureTime: NOW,
  captureFaceImage: '',
  hitFaceImage: '',
  score: 64,
  groupName: 'Wanted',
  surveillanceName: 'Gates',
  deviceType: 1,
  deviceName: 'Camera',
  deviceId: 'camera',
  level: 2,
  status: alarmHandlingStatus.undealt,
  escalatedAt: null,
  captures: 1,
  sound: alarmSound.first,
  instruction: '',
  personId: 'p',
  version: 1,
  bubbleType: 'alarm',
  alertType: 1,
  personName: 'James Moriarty',
  surveillanceId: 'task',
  ...more,
})
const take = (alarms: Alarms, rows: FaceAlarmBubble[], more?: number) =>
  takeAlarms('faceAlarm', alarms, { rows, more }, NOW, alarmPopupStay.short)
const keys = ({ bubbles }: Alarms): string[] => bubbles.map(({ key }) => key)

test('an alarm of a face is a bubble that rings as its task says, and stays as long as the park has it [BEH-117, BEH-124]', () => {
  const { alarms, rings, sound } = take(NONE, [face('a', { sound: alarmSound.second })])
  expect(alarms.bubbles).toMatchObject([{ key: 'faceAlarm-a', until: NOW + 5000, late: false, shownAt: NOW }])
  expect([rings, sound]).toEqual([['faceAlarm-a'], 'alarmSecond'])
})

test('one that arrives again, as with its picture or counted once more, replaces itself and is silent', () => {
  const { alarms } = take(NONE, [face('a')])
  const again = take(alarms, [face('a', { captures: 3, captureFaceImage: '/a.webp' })])
  expect(again.rings).toEqual([])
  expect(again.alarms.bubbles).toMatchObject([{ alarm: { captures: 3, captureFaceImage: '/a.webp' }, until: NOW + 5000 }])
})

test('what was handled elsewhere disappears and does not come again; what is dealt with stays', () => {
  const { alarms } = take(NONE, [face('a'), face('b')])
  expect(keys(take(alarms, [face('a', { status: alarmHandlingStatus.dealing })]).alarms)).toHaveLength(2)
  for (const status of [alarmHandlingStatus.confirmed, alarmHandlingStatus.misinformation, alarmHandlingStatus.test]) {
    const after = take(alarms, [face('a', { status })])
    expect(keys(after.alarms)).toEqual(['faceAlarm-b'])
    // A frame that is older arrives late.
    expect(take(after.alarms, [face('a')])).toMatchObject({ alarms: { bubbles: [{ key: 'faceAlarm-b' }] }, rings: [] })
  }
  expect(take(NONE, [face('a', { status: alarmHandlingStatus.test })])).toEqual({ alarms: NONE, rings: [] })
})

test('events of devices and boxes end when they are handled, resources also when there is enough again', () => {
  const resource = (clearedAt: number | null, status: 0 | 3 = 0): MaintenanceBubble => ({
    id: 'r',
    deviceId: 'gate',
    deviceCode: 'A-1',
    deviceName: 'Gate',
    alertType: 'disk',
    usagePercent: 97,
    threshold: 90,
    checkTime: NOW,
    clearedAt,
    level: alarmLevel.high,
    status,
    escalatedAt: null,
    bubbleType: 'device',
  })
  const short = takeAlarms('deviceResource', NONE, { rows: [resource(null)] }, NOW, alarmPopupStay.forever)
  expect([keys(short.alarms), short.sound]).toEqual([['deviceResource-r'], undefined])
  expect(keys(takeAlarms('deviceResource', short.alarms, { rows: [resource(NOW)] }, NOW, alarmPopupStay.forever).alarms)).toEqual([])
  expect(keys(takeAlarms('deviceResource', short.alarms, { rows: [resource(null, 3)] }, NOW, alarmPopupStay.forever).alarms)).toEqual([])

  const event = (status: 0 | 2) =>
    ({ id: 'e', alertTime: NOW, status, bubbleType: 'deviceAlarm' }) as Parameters<typeof takeAlarms<'deviceAlarm'>>[2]['rows'][number]
  const forced = takeAlarms('deviceAlarm', short.alarms, { rows: [event(alarmHandlingStatusAlt.unhandled)] }, NOW, alarmPopupStay.long)
  expect(keys(forced.alarms).toSorted()).toEqual(['deviceAlarm-e', 'deviceResource-r'])
  const ignored = takeAlarms('deviceAlarm', forced.alarms, { rows: [event(alarmHandlingStatusAlt.ignored)] }, NOW, alarmPopupStay.long)
  expect(keys(ignored.alarms)).toEqual(['deviceResource-r'])
})

test('what happened minutes ago is shown as late and is silent; a closed one does not come again [BEH-119]', () => {
  const { alarms, rings } = take(NONE, [face('late', { captureTime: NOW - LATE - 1 })])
  expect([rings, alarms.bubbles]).toMatchObject([[], [{ late: true }]])
  expect(take(without(alarms, 'faceAlarm-late'), [face('late')]).alarms.bubbles).toEqual([])
})

test('four are kept, the newest; five thousand in one minute are counted, not shown [BEH-116]', () => {
  let alarms = NONE
  let ringCount = 0
  for (let frame = 0; frame < 100; frame++) {
    const rows = Array.from({ length: 50 }, (_, at) => face(`${frame}-${at}`, { captureTime: NOW + frame * 100 + at }))
    const update = take(alarms, rows)
    alarms = update.alarms
    ringCount += update.rings.length
    expect(update.rings.length).toBeLessThanOrEqual(4)
  }
  expect(keys(alarms)).toEqual(['faceAlarm-99-49', 'faceAlarm-99-48', 'faceAlarm-99-47', 'faceAlarm-99-46'])
  expect([alarms.unshown.faceAlarm, ringCount]).toEqual([4996, 400])
  expect(alarms.dismissed.length).toBeLessThanOrEqual(200)
  // A hit of the watch list takes the place of the oldest, which is counted.
  const hit = { id: 'h', time: NOW + 99_999, deviceId: 'd', watchList: { personId: 'm' } }
  const { alarms: withHit } = takeHits(alarms, { rows: [hit as Parameters<typeof takeHits>[1]['rows'][number]] }, NOW, alarmPopupStay.short)
  expect([keys(withHit)[0], withHit.unshown.faceAlarm, withHit.more]).toEqual(['h', 4997, 0])
})

test('alarms of the chosen tasks are shown, of all tasks where none is chosen, and of deleted tasks always [BEH-125]', () => {
  const chosen = { ...ALL_ALARMS, surveillances: ['a', 'gone'] }
  expect(['a', 'b', null].map((id) => isChosenTask(id, chosen))).toEqual([true, false, true])
  expect(['a', 'b', null].map((id) => isChosenTask(id, ALL_ALARMS))).toEqual([true, true, true])
  // Somebody whose only task was deleted must not be left without alarms.
  expect(withExistingTasks({ ...chosen, surveillances: ['gone'] }, [{ id: 'a' }]).surveillances).toEqual([])
  expect(withExistingTasks(chosen, undefined).surveillances).toEqual(['a', 'gone'])
})

test('of joined frames the later version of an alarm stays, and what is beyond the limit is counted', () => {
  const joined = joinedFrames({ rows: [face('a'), face('b')], more: 1 }, { rows: [face('a', { captures: 2 }), face('c')] }, 2)
  expect(joined.rows.map(({ id, captures }) => [id, captures])).toEqual([
    ['a', 2],
    ['c', 1],
  ])
  expect(joined.more).toBe(2)
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a frame is passed on at once, and those of the next half second together', () => {
  const shown: AlarmFrame<{ id: string }>[] = []
  const bursts = createBursts<{ id: string }>((frame) => void shown.push(frame))
  bursts.push({ rows: [{ id: 'a' }] })
  for (let at = 0; at < 50; at++) bursts.push({ rows: [{ id: `b${at}` }], more: 1 })
  expect(shown).toHaveLength(1)
  vi.advanceTimersByTime(500)
  expect(shown.map(({ rows, more }) => [rows.length, more])).toEqual([
    [1, undefined],
    [50, 50],
  ])
  vi.advanceTimersByTime(500)
  bursts.push({ rows: [{ id: 'c' }] })
  expect(shown).toHaveLength(3)
  bursts.push({ rows: [{ id: 'd' }] })
  bursts.stop()
  vi.advanceTimersByTime(5000)
  expect(shown).toHaveLength(3)
})

test('an alarm that nobody handled is shown and rings again, even where its bubble was closed', () => {
  const { alarms } = take(NONE, [face('one'), face('two')])
  const closed = without(alarms, 'faceAlarm-one')
  const escalated = (id: string) => face(id, { captureTime: NOW - 600_000, escalatedAt: NOW })
  const again = take(closed, [escalated('one'), escalated('two')])
  expect(keys(again.alarms).toSorted()).toEqual(['faceAlarm-one-escalated', 'faceAlarm-two-escalated'])
  expect(again.rings).toHaveLength(2)
  const handled = face('one', { escalatedAt: NOW, status: alarmHandlingStatus.confirmed })
  expect(keys(take(again.alarms, [handled]).alarms)).toEqual(['faceAlarm-two-escalated'])
})
