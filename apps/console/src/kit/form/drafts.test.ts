import { beforeEach, expect, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { drafts } from './drafts.ts'
import { storage } from '../../api/storage.ts'
import { fakeBrowser } from '../../api/testing/browser.ts'

beforeEach(async () => {
  await fakeBrowser()
  storage.set('profile', { id: 'me', deviceUpgradeType: 0 })
})

test('a draft keeps what was typed, but neither the number of an ID document, nor a PIN, nor what the form itself names', () => {
  const typed = { name: 'Ada', idNumber: '110101199003074258', personalPassword: '246810', note: 'here', key: 'abc' }
  drafts.write('staff.add', typed, { call: peopleCalls.create, unkept: ['key'] })
  expect(drafts.read('staff.add')).toEqual({ name: 'Ada', note: 'here' })
  expect(Object.values(sessionStorage).join('')).not.toMatch(/110101199003074258|246810|abc/)
})
