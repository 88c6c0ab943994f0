import { describe, expect, test } from 'vitest'
import { accountName, email, isTelephone, passwordFault, realName } from './account.ts'

describe('a password', () => {
  test('has 8 to 14 characters [VAL-010]', () => {
    expect(['Abcde-1', 'Abcdef-1', 'Abcdefghijk-12', 'Abcdefghijkl-12'].map(passwordFault)).toEqual(['length', null, null, 'length'])
  })
  test('counts characters as people do', () => {
    // Eight characters, one of which has two code units.
    expect(passwordFault('Abcde1-😀')).toBe(null)
    expect(passwordFault('Abcd1-😀')).toBe('length')
  })
  test('has an upper-case letter [VAL-011]', () => {
    expect(['abcdef-1', 'Abcdef-1', 'abcdeÉ-1'].map(passwordFault)).toEqual(['upper', null, null])
  })
  test('has a lower-case letter [VAL-012]', () => {
    expect(['ABCDEF-1', 'ABCDEf-1'].map(passwordFault)).toEqual(['lower', null])
  })
  test('has a digit [VAL-013]', () => {
    expect(['Abcdefg-', 'Abcdef-7'].map(passwordFault)).toEqual(['digit', null])
  })
  test('has a special symbol, and a blank is none [VAL-014]', () => {
    expect(['Abcdefg1', 'Abcdef 1', 'Abcdef_1', 'Abcdef！1'].map(passwordFault)).toEqual(['special', 'special', null, null])
  })
  test('is not a palindrome [VAL-016]', () => {
    expect(['Aa1-xx-1aA', 'Aa1-xax-1aA', 'Aa1-xy-1aA'].map(passwordFault)).toEqual(['palindrome', 'palindrome', null])
  })
})

test('an account name begins with a letter and has 2 to 16 characters, no blanks', () => {
  for (const good of ['ad', 'a1', 'Admin_2.b-c', 'a'.repeat(16)]) expect(accountName.safeParse(good).success, good).toBe(true)
  for (const bad of ['a', '1a', '_ab', 'a b', 'a'.repeat(17), 'a@b', '管理员']) expect(accountName.safeParse(bad).success, bad).toBe(false)
})

test('an e-mail address is optional, has at most 64 characters and the form of one', () => {
  for (const good of ['', 'a@b.cn', 'a***@b.cn', `${'x'.repeat(56)}@b.test`]) expect(email.safeParse(good).success, good).toBe(true)
  for (const bad of ['a', 'a@b', '@b.cn', 'a b@c.cn', 'ab***@b.cn', `${'x'.repeat(60)}@b.test`])
    expect(email.safeParse(bad).success, bad).toBe(false)
})

test('a real name is required and has at most 64 characters', () => {
  expect(['王明', ' ', '', 'x'.repeat(64), 'x'.repeat(65)].map((name) => realName.safeParse(name).success)).toEqual([
    true,
    false,
    false,
    true,
    false,
  ])
})

test('a telephone number has digits and + * # only', () => {
  expect(['', '+86*13#', '020 7946', '12a'].map(isTelephone)).toEqual([true, true, false, false])
})
