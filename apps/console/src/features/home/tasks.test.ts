import { describe, expect, test } from 'vitest'
import { tasksOf } from './tasks.ts'

const noDevices = { total: 3, online: 3, neverPaired: 0, notReleased: [], offline: [], notSynced: [], nearlyFull: [], tampered: [] }
const noPeople = { total: 200, withoutFace: 0, expiring: 0, expired: 0 }

describe('tasksOf', () => {
  test('finds nothing to do where nothing is, and where nothing is known', () => {
    expect(tasksOf({})).toEqual([])
    expect(
      tasksOf({
        devices: noDevices,
        people: noPeople,
        approvals: { pending: 0, newest: null },
        pendingChanges: 0,
        unconfirmedRules: 0,
      }),
    ).toEqual([])
  })

  test('sorts by urgency, however many there are of each', () => {
    const tasks = tasksOf({
      devices: {
        ...noDevices,
        neverPaired: 9,
        notReleased: [{ id: '1', name: 'New gate' }],
        offline: [{ id: '2', name: 'East gate', lastSeenAt: 1_000 }],
        notSynced: [{ id: '3', name: 'West gate', missing: 4 }],
        tampered: [{ id: '5', name: 'Gate', at: 1_000 }],
        nearlyFull: [{ id: '4', name: 'Lobby', personsDesired: 980, capacity: 1000 }],
      },
      people: { total: 200, withoutFace: 50, expiring: 11, expired: 5 },
      approvals: { pending: 2, newest: 5_000 },
      pendingChanges: 1,
      unconfirmedRules: 3,
      faces: { doors: 6, unkept: true, unjudged: true },
    })
    expect(tasks.map(({ key, count }) => [key, count])).toEqual([
      ['offline', 1],
      ['tampered', 1],
      ['notSynced', 1],
      ['unkept', 6],
      ['unjudged', 6],
      ['approvals', 2],
      ['pendingChanges', 1],
      ['unconfirmedRules', 3],
      ['notReleased', 1],
      ['nearlyFull', 1],
      ['expired', 5],
      ['expiring', 11],
      ['withoutFace', 50],
      ['neverPaired', 9],
    ])
  })

  test('names devices with what is to be said of each, and says when the newest application came', () => {
    const tasks = tasksOf({
      devices: {
        ...noDevices,
        offline: [
          { id: '1', name: 'East gate', lastSeenAt: 1_000 },
          { id: '2', name: 'West gate', lastSeenAt: null },
        ],
        notSynced: [{ id: '3', name: 'North gate', missing: 4 }],
      },
      approvals: { pending: 2, newest: 5_000 },
    })
    expect(tasks.map(({ which, newest }) => ({ which, newest }))).toEqual([
      {
        which: [
          { name: 'East gate', since: 1_000 },
          { name: 'West gate', since: null },
        ],
      },
      { which: [{ name: 'North gate', missing: 4 }] },
      { which: [], newest: 5_000 },
    ])
  })

  test('a door that opens for a face alone is one where the promise or the living face cannot be relied upon, with two ways out', () => {
    expect(tasksOf({ faces: { doors: 6, unkept: false, unjudged: false } })).toEqual([])
    expect(tasksOf({ faces: { doors: 0, unkept: true, unjudged: true } })).toEqual([])
    const [task, ...others] = tasksOf({ faces: { doors: 2, unkept: false, unjudged: true } })
    expect(others).toEqual([])
    expect(task).toMatchObject({ key: 'unjudged', status: 'bad', count: 2 })
    expect(task!.steps!.map(({ screen }) => screen)).toEqual(['faceEngine', 'passStrategy'])
  })
})
