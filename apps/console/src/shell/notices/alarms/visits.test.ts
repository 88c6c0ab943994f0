import { expect, test } from 'vitest'
import { ALARM_POPUP_OPTIONS } from '@gatehouse/contract'
import { ALARM_CONFIG_DEFAULT, STAY_TIME_OF } from '@gatehouse/contract/alarms/config'
import { alarmPopupStay, alertBubbleType, visitAlertType } from '@gatehouse/contract/enums/alarms'
import { visitUrlOf, type VisitAlert } from '@gatehouse/contract/visitors/alerts'
import { LATE, NONE_UNSHOWN, takeHits, without, type Alarms } from './alarms.ts'
import { ALL_ALARMS, BUBBLE_KINDS, isOn, stayOf, type BubbleKind } from './kinds.ts'
import { endOfStay } from './stay.ts'
import { takeVisits } from './visits.ts'

const NOW = 1_800_000_000_000
const NONE: Alarms = { bubbles: [], more: 0, unshown: NONE_UNSHOWN, dismissed: [] }
const { check, arrival } = visitAlertType

const alert = (id: string, type: VisitAlert['type'] = arrival, visitTime = NOW): VisitAlert => ({
  id,
  bubbleType: 'visit',
  type,
  visitorName: id,
  visiteeName: '',
  visitTime,
  content: 'business',
  remark: '',
  faceUrl: '',
  visitUrl: visitUrlOf(type, id),
  passType: null,
})
const take = (alarms: Alarms, rows: VisitAlert[], now = NOW) => takeVisits(alarms, { rows }, now, alarmPopupStay.long)
const keys = ({ bubbles }: Alarms): string[] => bubbles.map(({ key }) => key)

test('type 0 is a check, type 1 an arrival; both of one visit are two bubbles [BEH-122]', () => {
  const { alarms, rings } = take(take(NONE, [alert('a', check)]).alarms, [alert('a')], NOW + 1)
  expect(alarms.bubbles.map(({ kind }) => kind)).toEqual(['visitArrive', 'visitCheck'])
  expect(rings).toEqual(['visitArrive-a'])
})

test('a check leads to the visits to be reviewed, an arrival to its visit [BEH-123]', () => {
  expect(visitUrlOf(check, 'a')).toBe('/visitorCurrent?status=5')
  expect(visitUrlOf(arrival, 'a')).toBe('/visitorCurrent?visit=a')
})

test('of more than four bubbles, of whatever kind, the oldest are dropped and do not come back [BEH-116]', () => {
  const hit = { id: 'hit', time: NOW - 1000, deviceId: 'gate', watchList: { personId: 'moran' } } as never
  const before = takeHits(NONE, { rows: [hit] }, NOW, alarmPopupStay.forever).alarms
  const { alarms } = take(before, [alert('d'), alert('c'), alert('b'), alert('a')])
  expect(keys(alarms)).toEqual(['visitArrive-d', 'visitArrive-c', 'visitArrive-b', 'visitArrive-a'])
  // A person of the watch list is counted.
  expect(alarms.more).toBe(1)
  const next = take(alarms, [alert('f'), alert('e')], NOW + 1)
  expect(keys(next.alarms)).toEqual(['visitArrive-f', 'visitArrive-e', 'visitArrive-d', 'visitArrive-c'])
  expect(take(next.alarms, [alert('a')], NOW + 2)).toEqual({ alarms: next.alarms, rings: [] })
})

test('a visit that was closed, or is shown already, is not shown again [BEH-119]', () => {
  const { alarms } = take(NONE, [alert('a')])
  expect(take(alarms, [alert('a'), alert('a')]).alarms).toEqual(alarms)
  const closed = without(alarms, 'visitArrive-a')
  expect(take(closed, [alert('a')])).toEqual({ alarms: closed, rings: [] })
})

test('an arrival that a terminal reports late is shown, and silent', () => {
  const { alarms, rings } = take(NONE, [alert('late', arrival, NOW - LATE - 1), alert('planned', check, NOW - LATE - 1)])
  expect([alarms.bubbles.length, rings]).toEqual([2, ['visitCheck-planned']])
})

test('a bubble stays for no time, 5 s, 30 s, or until it is closed [BEH-117]', () => {
  expect(ALARM_POPUP_OPTIONS).toEqual(alarmPopupStay.values)
  expect([alarmPopupStay.short, alarmPopupStay.long, alarmPopupStay.forever].map((stay) => endOfStay(stay, NOW))).toEqual([
    NOW + 5000,
    NOW + 30_000,
    null,
  ])
  const never = { stay_time: alarmPopupStay.none, device_alert_stay_time: alarmPopupStay.none } as const
  for (const kind of Object.keys(BUBBLE_KINDS) as BubbleKind[]) {
    expect(isOn(kind, ALL_ALARMS, ALARM_CONFIG_DEFAULT)).toBe(true)
    expect(isOn(kind, ALL_ALARMS, never)).toBe(false)
  }
})

test('bubbles of faces and visits stay by one time, those of devices by the other [BEH-118, BEH-120]', () => {
  expect(Object.keys(STAY_TIME_OF)).toEqual(alertBubbleType.values)
  const times = { stay_time: alarmPopupStay.short, device_alert_stay_time: alarmPopupStay.long } as const
  const stays = Object.fromEntries((Object.keys(BUBBLE_KINDS) as BubbleKind[]).map((kind) => [kind, stayOf(kind, times)]))
  expect(stays).toEqual({
    watchList: 5,
    faceAlarm: 5,
    deviceAlarm: 30,
    aiBoxAlarm: 30,
    deviceResource: 30,
    deviceOffline: 30,
    visitCheck: 5,
    visitArrive: 5,
  })
})

test('each kind has a switch of its own, and its permission [BEH-125, BEH-126]', () => {
  for (const kind of Object.keys(BUBBLE_KINDS) as BubbleKind[]) {
    const { setting } = BUBBLE_KINDS[kind]
    // Of faces the user chooses tasks.
    if (setting === null) continue
    const settings = { ...ALL_ALARMS, [setting]: false }
    const off = (Object.keys(BUBBLE_KINDS) as BubbleKind[]).filter((other) => !isOn(other, settings, ALARM_CONFIG_DEFAULT))
    expect(off).toEqual([kind])
  }
  expect(BUBBLE_KINDS.visitCheck.topic.permission).toBe('visitor.report')
  expect(BUBBLE_KINDS.visitArrive.topic.permission).toBe('visitor.report')
  expect(BUBBLE_KINDS.deviceOffline.topic.permission).toBe('device.list')
  expect(BUBBLE_KINDS.deviceResource.topic.permission).toBe('device.list')
  expect(BUBBLE_KINDS.faceAlarm.topic.permission).toBe('surveillance.alert')
  expect([BUBBLE_KINDS.deviceAlarm.topic.permission, BUBBLE_KINDS.aiBoxAlarm.topic.permission]).toEqual(['access.alert', 'access.alert'])
})
