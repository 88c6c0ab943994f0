import { describe, expect, test } from 'vitest'
import { passwordFault } from './account.ts'
import { PASSWORD_MAX } from './limits.ts'
import { CIPHER_TEXT_HOLDS, NONCE_LENGTH, passwordText, splitPasswordText } from './password-text.ts'

const nonce = 'aZ09_-'.repeat(10).slice(0, NONCE_LENGTH)
const bytes = (text: string): number => Buffer.byteLength(text)

describe('the text that is encrypted', () => {
  test('has nonce and password, and gives both back', () => {
    for (const password of ['Abcdef-1', '', 'Line\nbreak-1', `${'x'.repeat(64)}`, '密码Abc-😀1'])
      expect(splitPasswordText(passwordText(nonce, password))).toEqual({ nonce, password })
  })

  test('has room for the longest password of the widest characters', () => {
    const widest = '😀'.repeat(PASSWORD_MAX)
    expect(bytes(widest)).toBe(4 * PASSWORD_MAX)
    expect(bytes(passwordText(nonce, widest))).toBeLessThanOrEqual(CIPHER_TEXT_HOLDS)
    expect(splitPasswordText(passwordText(nonce, widest))).toEqual({ nonce, password: widest })
  })

  test('leaves the nonce out where there is no room for it, and stays within what can be encrypted', () => {
    const long = '密'.repeat(60)
    expect(splitPasswordText(passwordText(nonce, long))).toEqual({ nonce: null, password: long })
    for (const longer of ['密'.repeat(64), '😀'.repeat(200), 'Aa-1'.repeat(1000)]) {
      const text = passwordText(nonce, longer)
      expect(bytes(text)).toBeLessThanOrEqual(CIPHER_TEXT_HOLDS)
      expect(longer.startsWith(text)).toBe(true)
      expect(passwordFault(text)).toBe('length')
    }
  })

  test('takes no password that is allowed for one with a nonce', () => {
    for (const password of ['Abcdef-1', `Aa-1\n${'x'.repeat(PASSWORD_MAX - 5)}`]) {
      expect(passwordFault(password)).toBe(null)
      expect(splitPasswordText(password)).toEqual({ nonce: null, password })
    }
    expect(NONCE_LENGTH).toBeGreaterThan(PASSWORD_MAX)
  })

  test('is well-formed whatever was typed', () => {
    expect(splitPasswordText(passwordText(nonce, 'Abcdef-1\ud83d')).password).toBe('Abcdef-1\ufffd')
  })
})
