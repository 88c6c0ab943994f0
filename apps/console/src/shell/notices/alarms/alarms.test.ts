import { expect, test } from 'vitest'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { ALARM_BUBBLES_MAX } from '@gatehouse/contract'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import { LATE, NONE_UNSHOWN, OFFLINE, takeHits, takeStatuses, TOGETHER, without, withoutDismissed, type Alarms } from './alarms.ts'

const NOW = 1_800_000_000_000
const NONE: Alarms = { bubbles: [], more: 0, unshown: NONE_UNSHOWN, dismissed: [] }

const hit = (
  id: string,
  { at = NOW, who = id, door = 'gate', ...more }: Partial<AccessRecord> & { at?: number; who?: string; door?: string } = {},
) =>
  ({
    id,
    time: at,
    deviceId: door,
    watchList: { personId: who, personName: who, groupName: '', score: 90, registeredImage: '', reason: '', instruction: '' },
    ...more,
  }) as AccessRecord
const keys = ({ bubbles }: Alarms): string[] => bubbles.map(({ key }) => key)
const take = (alarms: Alarms, rows: AccessRecord[], more?: number) => takeHits(alarms, { rows, more }, NOW, alarmPopupStay.forever)

test('somebody of the watch list is a bubble that rings, newest first; a record without a hit is none', () => {
  const { alarms, rings } = take(NONE, [
    hit('a', { at: NOW - 2000 }),
    hit('b'),
    { ...hit('c'), watchList: undefined } as unknown as AccessRecord,
  ])
  expect([keys(alarms), rings]).toEqual([
    ['b', 'a'],
    ['a', 'b'],
  ])
})

test('a record that comes again, as with its picture, replaces itself and does not ring again', () => {
  const { alarms } = take(NONE, [hit('a')])
  const again = take(alarms, [hit('a', { captureThumbnail: '/a.webp' })])
  expect(again.rings).toEqual([])
  expect(again.alarms.bubbles).toMatchObject([{ key: 'a', record: { captureThumbnail: '/a.webp' } }])
})

test('what happened minutes ago is shown as late and is silent', () => {
  const { alarms, rings } = take(NONE, [hit('late', { at: NOW - LATE - 1 }), hit('fresh', { at: NOW - LATE })])
  expect(rings).toEqual(['fresh'])
  expect(alarms.bubbles).toMatchObject([
    { key: 'fresh', late: false },
    { key: 'late', late: true },
  ])
})

test('somebody who stays at a door is one bubble; at another door, or later, they are another', () => {
  const { alarms } = take(NONE, [hit('1', { who: 'moran' })])
  const stays = take(alarms, [hit('2', { who: 'moran', at: NOW + 3000 })])
  expect([keys(stays.alarms), stays.alarms.more, stays.rings]).toEqual([['2'], 1, []])
  // The earlier record does not come back, as when its picture arrives.
  expect(keys(take(stays.alarms, [hit('1', { who: 'moran' })]).alarms)).toEqual(['2'])
  const moves = take(stays.alarms, [hit('3', { who: 'moran', door: 'lift', at: NOW + 4000 })])
  expect([keys(moves.alarms), moves.rings]).toEqual([['3', '2'], ['3']])
  expect(take(moves.alarms, [hit('4', { who: 'moran', at: NOW + 120_000 })]).rings).toEqual(['4'])
})

test('four are kept, by when they happened; the others are counted, with those a frame left out [BEH-116]', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) => hit(id, { at: NOW - 10_000 + at * 1000 }))
  const { alarms, rings } = take(NONE, rows, 3)
  expect(ALARM_BUBBLES_MAX).toBe(4)
  expect([keys(alarms), alarms.more, rings.length]).toEqual([['f', 'e', 'd', 'c'], 5, 6])
  // A backlog of a terminal does not displace the persons who are here now.
  const backlog = take(
    alarms,
    ['u', 'v', 'w', 'x'].map((id) => hit(id, { at: NOW - 3_600_000 })),
  )
  expect([keys(backlog.alarms), backlog.alarms.more, backlog.rings]).toEqual([['f', 'e', 'd', 'c'], 9, []])
})

test('a bubble that was closed, here or in another tab, does not come again', () => {
  const { alarms } = take(NONE, [hit('a'), hit('b')])
  const closed = without(alarms, 'a')
  expect(keys(closed)).toEqual(['b'])
  expect(take(closed, [hit('a')])).toMatchObject({ alarms: { bubbles: [{ key: 'b' }] }, rings: [] })
  expect(keys(withoutDismissed(closed, ['b', 'z']))).toEqual([])
})

type Row = Parameters<typeof takeStatuses>[1][number]
const device = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  onlineStatus: 0,
  authorisationStatus: 1,
  released: true,
  lastSeenAt: NOW - 30_000,
  onlineSince: null,
  personsDesired: 0,
  personsHeld: 0,
  personsWithoutPhoto: 0,
  ...more,
})
const statuses = (alarms: Alarms, rows: Row[], now: number) => takeStatuses(alarms, rows, now, alarmPopupStay.long)
const devicesOf = ({ bubbles }: Alarms): string[] =>
  bubbles.flatMap((bubble) => (bubble.kind === OFFLINE ? bubble.devices.map(({ id }) => id) : []))

test('a device that falls silent rings once for the time it was last seen, and its bubble goes when it is back', () => {
  const first = statuses(NONE, [device('gate')], NOW)
  expect(first.rings).toHaveLength(1)
  expect(first.alarms.bubbles).toMatchObject([{ devices: [{ id: 'gate' }], until: NOW + 30_000 }])
  // Other changes of a status, such as the number of its persons, do not matter.
  expect(statuses(first.alarms, [device('gate', { personsDesired: 7 })], NOW + 1000)).toEqual({ alarms: first.alarms, rings: [] })
  const closed = without(first.alarms, OFFLINE)
  expect(statuses(closed, [device('gate')], NOW + 2000)).toEqual({ alarms: closed, rings: [] })
  const back = statuses(first.alarms, [device('gate', { onlineStatus: 1, lastSeenAt: NOW })], NOW + 3000)
  expect([back.alarms.bubbles, back.rings]).toEqual([[], []])
  expect(statuses(back.alarms, [device('gate', { lastSeenAt: NOW + 60_000 })], NOW + 60_000).rings).toHaveLength(1)
})

test('devices that fall silent together are one bubble that rings once', () => {
  const first = statuses(NONE, [device('a'), device('b')], NOW)
  const more = statuses(first.alarms, [device('c')], NOW + TOGETHER)
  expect([devicesOf(more.alarms), first.rings.length, more.rings]).toEqual([['a', 'b', 'c'], 2, []])
  expect(statuses(more.alarms, [device('d')], NOW + TOGETHER + 1).rings).toHaveLength(1)
  const some = statuses(more.alarms, [device('b', { onlineStatus: 1 })], NOW + TOGETHER + 2)
  expect(devicesOf(some.alarms)).toEqual(['a', 'c'])
})

test('nobody is told of a device that is online, was silent for long, was never seen, or is not paired', () => {
  const rows = [
    device('online', { onlineStatus: 1 }),
    device('long', { lastSeenAt: NOW - LATE - 1 }),
    device('never', { lastSeenAt: null }),
    device('unpaired', { authorisationStatus: 0 }),
    device('pairing', { authorisationStatus: 2 }),
  ]
  expect(statuses(NONE, rows, NOW)).toEqual({ alarms: NONE, rings: [] })
  const paired = statuses(NONE, [device('gate')], NOW)
  expect(statuses(paired.alarms, [device('gate', { authorisationStatus: 0 })], NOW).alarms.bubbles).toEqual([])
})
