/** The format of answers to captchas, and the rule of their work. */
import { expect, test } from 'vitest'
import { captchaAnswerText, isCaptchaWorkDone, readCaptchaAnswer } from './captcha.ts'

const id = '019abcde-0000-7000-8000-000000000001'

test('an answer is read as it was written', () => {
  for (const answer of [
    { id, x: 0, counter: 0 },
    { id, x: 117.5, counter: 8191 },
    { id, x: -3, counter: Number.MAX_SAFE_INTEGER % 1e15 },
  ])
    expect(readCaptchaAnswer(captchaAnswerText(answer))).toEqual(answer)
})

test('anything else is no answer', () => {
  for (const text of [
    '',
    'nonsense',
    `${id}:10`,
    `${id}:10:`,
    `${id}:10:-1`,
    `${id}:10:1.5`,
    `${id}:10:1e9`,
    `${id}:10:1:1`,
    `x${id}:10:1`,
    `${id}:10:${'9'.repeat(16)}`,
  ])
    expect(readCaptchaAnswer(text), text).toBeNull()
})

test('the work is done by a result that begins with so many zero bits', () => {
  const starts = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, 255, 255])
  expect([0, 1, 3, 4].map((bits) => isCaptchaWorkDone(starts(0b0001_0000), bits))).toEqual([true, true, true, false])
  expect([7, 8, 9].map((bits) => isCaptchaWorkDone(starts(0, 0b1000_0000), bits))).toEqual([true, true, false])
  expect([9, 12, 13].map((bits) => isCaptchaWorkDone(starts(0, 0b0000_1000), bits))).toEqual([true, true, false])
})
