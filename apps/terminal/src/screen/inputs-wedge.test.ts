import { expect, test } from 'vitest'
import { createWedge } from './inputs-wedge.ts'

/** Type a text. @param between milliseconds between two keys */
function type(text: string, { format = 'decimal', between = 10, wedge = createWedge(() => format), from = 0 } = {}) {
  return [...text, 'Enter'].map((key, place) => wedge.press(key, from + place * between)).at(-1)
}

test('what comes faster than anybody types and ends with Enter is a card, in the digits of the settings', () => {
  expect(type('1234567890')).toEqual({ kind: 'card', number: '1234567890' })
  expect(type('499602D2', { format: 'hex' })).toEqual({ kind: 'card', number: '499602D2' })
  expect(type('0000')).toEqual({ kind: 'card', number: '0000' })
})

test('what is no such number is the text of a code', () => {
  expect(type('GATE/ann')).toEqual({ kind: 'qr', text: 'GATE/ann' })
  expect(type('499602D2')).toEqual({ kind: 'qr', text: '499602D2' })
})

test('what somebody types, what is too short, and an Enter alone are nothing', () => {
  expect(type('1234567890', { between: 200 })).toBeNull()
  expect(type('123')).toBeNull()
  expect(type('')).toBeNull()
})

test('keys pressed before do not become part of it, and the next card is read alone', () => {
  const wedge = createWedge(() => 'decimal')
  wedge.press('9', 0)
  expect(type('1234', { wedge, from: 1_000 })).toEqual({ kind: 'card', number: '1234' })
  expect(type('5678', { wedge, from: 1_050 })).toEqual({ kind: 'card', number: '5678' })
  expect(wedge.press('Shift', 5_000)).toBeNull()
})
