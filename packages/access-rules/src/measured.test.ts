import { expect, test } from 'vitest'
import { cardNumberOf } from './card-number.ts'
import { promptsOf, temperatureStatusOf, temperatureText } from './measured.ts'
import { evidenceReported, verifyTypeOf } from './methods.ts'
import { accessMethod } from '@gatehouse/contract/enums'

test('a card is its number, however it is written, and nothing is cut or turned round [FIELD-25]', () => {
  expect(['00AF', 'af', '0xAF'].map((text) => cardNumberOf(text, 'hex'))).toEqual(['175', '175', null])
  expect(['175', '00175', 'AF', '', '-1', '1.0', '１７５'].map((text) => cardNumberOf(text, 'decimal'))).toEqual([
    '175',
    '175',
    null,
    null,
    null,
    null,
    null,
  ])
  expect(cardNumberOf('FFFFFFFFFFFFFFFFFFFFFFFF', 'hex')).toBe('79228162514264337593543950335')
})

test('marks are no temperatures', () => {
  const range = { minimum: 35, maximum: 37.3 }
  expect([36.6, 37.3, 37.4, 35, 34.9, -1, -2, null, undefined, Number.NaN].map((value) => temperatureStatusOf(value, range))).toEqual([
    2,
    2,
    1,
    2,
    3,
    4,
    null,
    null,
    null,
    4,
  ])
})

test('-1 is read as a warning mark [BEH-158], -2 and none as nothing [BEH-159], others with one decimal and a degree [BEH-160]', () => {
  expect([-1, Number.NaN].map(temperatureText)).toEqual(['⚠', '⚠'])
  expect([-2, null, undefined].map(temperatureText)).toEqual(['', '', ''])
  expect([36.6, 37, 36.64, 36.96, 0, -3.5].map(temperatureText)).toEqual(['36.6°', '37.0°', '36.6°', '37.0°', '0.0°', '-3.5°'])
})

test('what is missing is only said where the device says so, and a sensor has seen it', () => {
  expect(promptsOf({ wear: { mask: 'prompt', helmet: 'prompt' } }, { mask: false })).toEqual(['mask'])
  expect(promptsOf({ wear: { mask: 'off', helmet: 'prompt' } }, { mask: false, helmet: true })).toEqual([])
  expect(promptsOf({}, { mask: false })).toEqual([])
})

test('each method has the verify type of the specification that fits it, or none', () => {
  const types = accessMethod.values.map((method) => verifyTypeOf(evidenceReported({ method, personId: 'ann', score: 90, moment: 0 })))
  expect(types).toEqual([1, 3, 3, 2, 4, 0, 1, 0, 1, 1, 1, 0, 3, 2, 0])
})
