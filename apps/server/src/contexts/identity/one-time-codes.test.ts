/** One-time passwords according to RFC 6238, and how typed ones are parsed. */
import { expect, test } from 'vitest'
import { RECOVERY_CODES } from '@gatehouse/contract/identity/second-factor'
import { makeRecoveryCodes, makeSecret, readCode, stepOf } from './one-time-codes.ts'

test('one-time passwords are those of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890')
  for (const [seconds, password] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30)
    for (const off of [-1, 0, 1]) expect(stepOf(secret, password, (seconds + off * 30) * 1000), password).toBe(step)
    for (const off of [-2, 2]) expect(stepOf(secret, password, (seconds + off * 30) * 1000), password).toBeNull()
  }
  for (const password of ['', '28708', '2870820', '28708x', '２８７０８２']) expect(stepOf(secret, password, 59_000)).toBeNull()
})

test('a secret is new each time, and its bytes are those an app is shown', () => {
  const holder = { account: 'ann', installation: 'Acme: Ltd & Co' }
  const [one, other] = [makeSecret(holder), makeSecret(holder)]
  expect(one.bytes).toHaveLength(20)
  expect(one.base32).not.toBe(other.base32)
  const { pathname, searchParams } = new URL(one.uri)
  expect(decodeURIComponent(pathname)).toBe('/Gatehouse:ann (Acme: Ltd & Co)')
  expect(searchParams.get('secret')).toBe(one.base32)
})

test('recovery codes differ, and are not taken for one-time passwords', () => {
  const codes = [...makeRecoveryCodes(), ...makeRecoveryCodes()]
  expect(new Set(codes).size).toBe(2 * RECOVERY_CODES)
  for (const code of codes) expect(readCode(code)).toEqual({ text: code.replace('-', ''), isOneTime: false })
  expect(readCode(' 123-456 ')).toEqual({ text: '123456', isOneTime: true })
  expect(readCode('AB CDE-fg234')).toEqual({ text: 'abcdefg234', isOneTime: false })
  expect(readCode('１２３　４５６')).toEqual({ text: '123456', isOneTime: true })
  expect(readCode('12345-67892').isOneTime).toBe(false)
})
