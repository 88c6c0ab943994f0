import { expect, test } from 'vitest'
import { handingIssues } from './userValues.ts'

test('a password that is to be mailed needs an address', () => {
  expect(handingIssues({ handing: 'mailed', email: '' })).toEqual([{ path: 'email', rule: 'required' }])
  expect(handingIssues({ handing: 'mailed', email: 'a@example.org' })).toEqual([])
})

test('a password that is typed must be there and good', () => {
  expect(handingIssues({ handing: 'typed' })).toEqual([{ path: 'password', rule: 'required' }])
  expect(handingIssues({ handing: 'typed', password: 'short' })).toEqual([{ path: 'password', rule: 'passwordPolicy' }])
  expect(handingIssues({ handing: 'typed', password: 'Good-pass1' })).toEqual([])
})

test('a password the server makes asks for nothing, whatever was typed before', () => {
  expect(handingIssues({ handing: 'shown', password: 'short' })).toEqual([])
})
