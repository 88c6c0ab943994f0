/** Passwords the product makes. */
import { expect, test } from 'vitest'
import { passwordFault } from '@gatehouse/contract/account'
import { inventPassword } from './password.ts'

const PASSWORDS = Array.from({ length: 2_000 }, inventPassword)

test('a first password keeps every rule and can be read out', () => {
  for (const password of PASSWORDS) {
    expect(passwordFault(password), password).toBeNull()
    expect(password).toMatch(/^[A-Z][a-z2-9]{5}-[a-z2-9]{6}[2-9]$/)
    expect(password).not.toMatch(/[IlOo01]/)
  }
})

test('each of its characters is one of all that can stand there: more than sixty bits', () => {
  const bits = [...PASSWORDS[0]!].map((_, at) => Math.log2(new Set(PASSWORDS.map((password) => password[at])).size))
  expect(bits.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(60)
})
