import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNestedDeeper, parseJson } from './json.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('counts the levels of any JSON, whatever stands in its texts', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^["\\[\]{}]{0,12}$/))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  fc.assert(
    fc.property(json, fc.nat(7), (value, most) => {
      for (const written of [JSON.stringify(value), JSON.stringify(value, null, 2)])
        expect(isNestedDeeper(written, most)).toBe(depthOf(value) > most)
    }),
  )
})

test('reads what is no JSON to its end', () => {
  for (const text of ['"', '"\\', '\\"', '"\\\\"[[', ']]]]', '{"a":"[[', '']) expect(isNestedDeeper(text, 2)).toBe(false)
  expect(isNestedDeeper('"\\\\"[[[', 2)).toBe(true)
})

test('parses what is nested as deeply as a sensible body, and nothing deeper', () => {
  const nested = (depth: number): string => '{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2)
  expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)))
  expect(() => parseJson(nested(66))).toThrow(SyntaxError)
  expect(() => parseJson('{')).toThrow(SyntaxError)
})
