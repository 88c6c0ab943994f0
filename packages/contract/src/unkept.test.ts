import { expect, test } from 'vitest'
import { ownCalls } from './identity/own.ts'
import { userCalls } from './identity/users.ts'
import { peopleCalls } from './people/calls.ts'
import { unkeptFieldsOf } from './unkept.ts'

test('no draft keeps a password, a PIN or the number of an identity document', () => {
  expect(unkeptFieldsOf(peopleCalls.create.body)).toEqual(expect.arrayContaining(['idNumber', 'personalPassword']))
  expect(unkeptFieldsOf(peopleCalls.change.body)).toEqual(expect.arrayContaining(['idNumber', 'personalPassword']))
  expect(unkeptFieldsOf(userCalls.create.body)).toEqual(expect.arrayContaining(['password', 'idCard']))
  expect(unkeptFieldsOf(ownCalls.changePassword.body).toSorted()).toEqual(['confirmPassword', 'newPassword', 'oldPassword'])
  expect(unkeptFieldsOf(peopleCalls.create.body)).not.toContain('name')
  expect(unkeptFieldsOf(undefined)).toEqual([])
})
