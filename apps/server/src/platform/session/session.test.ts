/** Scopes that are made from others. */
import { expect, test } from 'vitest'
import { seeingAll, seeingAllDevices, seeingNoWatchList } from './session.ts'

const scope = { parkId: 'park', sees: { watchList: true, masked: true, deviceGroups: [['group']] } }

test('a scope without the watch list keeps all its other limits', () => {
  expect(seeingNoWatchList(scope)).toEqual({ ...scope, sees: { ...scope.sees, watchList: false } })
  expect(seeingNoWatchList({ parkId: 'park' })).toEqual({ parkId: 'park', sees: { watchList: false } })
})

test('a scope with all devices keeps all its other limits, and one of the park has none', () => {
  expect(seeingAllDevices(scope)).toEqual({ parkId: 'park', sees: { watchList: true, masked: true } })
  expect(seeingAll(scope)).toEqual({ parkId: 'park' })
})
