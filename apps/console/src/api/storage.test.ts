import { beforeEach, expect, test } from 'vitest'
import { chooseDeviceHere, deviceHere } from '../shared/deviceHere.ts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { drafts } from '../kit/form/drafts.ts'
import { storage } from './storage.ts'
import { fakeBrowser } from './testing/browser.ts'

beforeEach(() => fakeBrowser())

const logInAs = (id: string, areaCode: string): void => {
  storage.set('profile', { id, deviceUpgradeType: 0 })
  storage.set('areaCode', areaCode)
}

test('the collector and printer chosen here count for the same user in the same park only [BEH-056]', () => {
  logInAs('lin', '100002')
  chooseDeviceHere('defaultPrinter', 'printer-1')
  chooseDeviceHere('defaultCollector', 'collector-1')
  expect(JSON.parse(localStorage.getItem('defaultPrinter') ?? '')).toEqual({ id: 'lin', areaCode: '100002', device: 'printer-1' })
  expect([deviceHere('defaultPrinter'), deviceHere('defaultCollector')]).toEqual(['printer-1', 'collector-1'])
  logInAs('lin', '100003')
  expect(deviceHere('defaultPrinter')).toBeUndefined()
  logInAs('wang', '100002')
  expect([deviceHere('defaultPrinter'), deviceHere('defaultCollector')]).toEqual([undefined, undefined])
})

test('what ends a session clears all but the wish for no more notices, and what is the browser’s own [BEH-058]', () => {
  logInAs('lin', '100002')
  storage.set('noMoreNotice', ['lin'])
  storage.set('knownDevice', 'x')
  storage.set('theme', 'dark')
  storage.clear({ drafts: 'keep' })
  expect(Object.keys(localStorage).toSorted()).toEqual(['knownDevice', 'noMoreNotice'])
  expect(storage.get('noMoreNotice')).toEqual(['lin'])
})

test('a draft waits for the same person and for nobody else', () => {
  logInAs('lin', '100002')
  drafts.write('staff.add', { name: 'Ada' }, { call: peopleCalls.create, unkept: [] })
  storage.clear({ drafts: 'keep' })
  logInAs('lin', '100002')
  drafts.dropOthers()
  expect(drafts.read('staff.add')).toEqual({ name: 'Ada' })
  logInAs('wang', '100002')
  expect(drafts.read('staff.add')).toBeUndefined()
  drafts.dropOthers()
  logInAs('lin', '100002')
  expect(drafts.read('staff.add')).toBeUndefined()
})

test('whoever logs out takes the drafts along', () => {
  logInAs('lin', '100002')
  drafts.write('staff.add', { name: 'Ada' }, { call: peopleCalls.create, unkept: [] })
  storage.clear({ drafts: 'drop' })
  logInAs('lin', '100002')
  expect(drafts.read('staff.add')).toBeUndefined()
})

test('a value that does not parse counts as absent', () => {
  localStorage.setItem('theme', '{dark')
  expect(storage.get('theme')).toBeUndefined()
})
