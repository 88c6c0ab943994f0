import { expect, test } from 'vitest'
import { PERMISSION_CODES, permissionModules } from '@gatehouse/contract'
import { groupsOf, isOpenerNeeded, isOpener, offeredOf, retick } from './granting.ts'

const all = PERMISSION_CODES

test('what opens a module comes with the first of its codes and goes with the last', () => {
  const one = retick([], ['person.list'], true, all)
  expect(one).toEqual(['person', 'person.list'])
  const two = retick(one, ['person.audit'], true, all)
  expect(retick(two, ['person.list'], false, all)).toEqual(['person', 'person.audit'])
  expect(retick(one, ['person.list'], false, all)).toEqual([])
})

test('what opens a module may be ticked alone, and is held while something lies behind it', () => {
  expect(retick([], ['visitor'], true, all)).toEqual(['visitor'])
  expect(isOpenerNeeded('visitor', new Set(['visitor']))).toBe(false)
  expect(isOpenerNeeded('visitor', new Set(['visitor', 'visitor.report']))).toBe(true)
})

test('nothing comes along that may not be granted', () => {
  expect(retick([], ['person.list'], true, ['person.list'])).toEqual(['person.list'])
})

test('codes that stand for themselves bring nothing', () => {
  expect(['screen', 'micro.app', 'carpark.parkAdmin'].filter(isOpener)).toEqual([])
  expect(retick([], ['micro.app'], true, all)).toEqual(['micro.app'])
})

test('all of a module is ticked and cleared in one go', () => {
  const monitoring = retick([], ['surveillance.data', 'videoSurveillance.live'], true, all)
  expect(monitoring).toEqual(['surveillance', 'surveillance.data', 'videoSurveillance', 'videoSurveillance.live'])
  expect(retick(monitoring, monitoring, false, all)).toEqual([])
})

test('a form offers what the product has, of modules that are on in the park', () => {
  expect(offeredOf(groupsOf(PERMISSION_CODES), ['person', 'device', 'attendance', 'meeting'])).toEqual([
    { module: 'person', permissions: [...permissionModules.person] },
    { module: 'device', permissions: permissionModules.device.filter((code) => !code.startsWith('device.intercom')) },
  ])
})

test('what is held without being offered stays, whatever is ticked and cleared', () => {
  const offered = ['person', 'person.list']
  const codes = ['attend.list', 'person', 'person.list']
  expect(retick(codes, offered, false, offered)).toEqual(['attend.list'])
  expect(retick(['attend.list'], ['person.list'], true, offered)).toEqual(['person', 'person.list', 'attend.list'])
})
