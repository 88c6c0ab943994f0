import { expect, test } from 'vitest'
import { isWrite, type Call } from '../call.ts'
import { PERMISSION_CODES } from '../permissions.ts'
import { remedies, REMEDY_CODES } from './remedies.ts'
import { codeToDo, remedyCalls } from './remedy-calls.ts'

const written = REMEDY_CODES.flatMap((code) => {
  const call: Call | null = remedyCalls[code]
  return call === null ? [] : [{ code, call }]
})

test('the screen a remedy leads to asks for what its call does', () => {
  expect(written.filter(({ code }) => codeToDo(code) !== remedies[code].permission || remedies[code].path === null)).toEqual([])
})

test('whoever has the permission may make the change, whatever his role and park', () => {
  const otherwise = written.filter(
    ({ call }) => !isWrite(call) || call.condition !== undefined || !(PERMISSION_CODES as readonly string[]).includes(call.permission),
  )
  expect(otherwise).toEqual([])
})
