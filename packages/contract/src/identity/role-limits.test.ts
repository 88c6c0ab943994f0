import { expect, test } from 'vitest'
import { PERMISSION_CODES } from '../permissions.ts'
import { codesBeyondLimit, isLimitable } from './role-limits.ts'

test('a role limited to device groups grants what is about devices one by one', () => {
  expect(PERMISSION_CODES.filter((code) => !codesBeyondLimit(PERMISSION_CODES).includes(code))).toEqual([
    'person',
    'person.list',
    'person.audit',
    'basic.person.search',
    'own:person.edit',
    'own:person.export',
    'visitor',
    'visitor.report',
    'visitor.temporary.edit',
    'access',
    'access.record',
    'own:access.record.export',
    'own:access.record.delete',
    'device',
    'device.list',
    'own:door.open',
    'alert',
    'surveillance.alert',
    'surveillance.alert.handle',
    'access.alert',
  ])
})

test('what nobody has named yet is about all devices', () => {
  expect(codesBeyondLimit(['device.list', 'of.tomorrow'])).toEqual(['of.tomorrow'])
})

test('administrators and operators are not limited', () => {
  expect(['admin', 'operator', 'parkAdmin', 'other'].filter(isLimitable)).toEqual(['parkAdmin', 'other'])
})
