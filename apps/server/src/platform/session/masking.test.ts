/** One walk per answer, by the marks of its schema. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { masked } from '@gatehouse/contract/masking'
import { isFoundBy, maskerOf, personalPattern, unmasked } from './masking.ts'
import { InvalidRequest } from '../http/refusal.ts'

const name = masked('name', z.string())
const shown = (schema: z.ZodType, value: unknown) => maskerOf(schema)!(value)

test('masks marked fields wherever they stand, and nothing else', () => {
  const schema = z.object({
    id: z.string(),
    name,
    inner: z.object({ phone: masked('phone', z.string()).nullable(), remark: z.string() }).optional(),
    list: z.array(z.object({ name: name.optional() })),
    byId: z.record(z.string(), z.object({ name })),
    either: z.union([z.object({ name }), z.object({ other: z.string() }), z.null()]),
    names: z.array(name),
    checked: z.object({ name }).refine(() => true),
  })
  const value = {
    id: '王小明',
    name: '王小明',
    inner: { phone: '13812345678', remark: '王小明' },
    list: [{ name: '李四' }, {}],
    byId: { 王小明: { name: '王小明' } },
    either: { name: '李四' },
    names: ['王小明'],
    checked: { name: '李四' },
  }
  const before = structuredClone(value)
  expect(shown(schema, value)).toEqual({
    id: '王小明',
    name: '王*明',
    inner: { phone: '138****5678', remark: '王小明' },
    list: [{ name: '李*' }, {}],
    byId: { 王小明: { name: '王*明' } },
    either: { name: '李*' },
    names: ['王*明'],
    checked: { name: '李*' },
  })
  // Answers to others are made from the same value.
  expect(value).toEqual(before)
})

test('masks a marked field among others that no schema names', () => {
  const schema = z.object({ values: z.object({ cardNumber: masked('cardNumber', z.string()).optional() }).catchall(z.string()) })
  expect(shown(schema, { values: { cardNumber: '5566778899', remark: '5566778899' } })).toEqual({
    values: { cardNumber: '******8899', remark: '5566778899' },
  })
  expect(shown(schema, { values: { remark: 'none' } })).toEqual({ values: { remark: 'none' } })
})

test('filters on personal fields find whole values for whom these are masked, and parts for everybody else', () => {
  const [inFull, whole] = [{}, { sees: { watchList: true, masked: true } }]
  expect([personalPattern(inFull, '15_'), personalPattern(whole, '15_')]).toEqual(['%15\\_%', '15\\_'])
  expect([isFoundBy(inFull, 'Theodora', 'HEO'), isFoundBy(whole, 'Theodora', 'HEO'), isFoundBy(whole, 'Theodora', 'theodora')]).toEqual([
    true,
    false,
    true,
  ])
})

test('leaves absent values, nulls and empty texts as they are', () => {
  const schema = z.object({ name: name.nullable().optional(), inner: z.object({ name }).nullable() })
  expect(shown(schema, { name: null, inner: null })).toEqual({ name: null, inner: null })
  expect(shown(schema, { inner: { name: '' } })).toEqual({ inner: { name: '' } })
})

test('there is no walk where nothing is personal, nor one without end where a schema holds itself', () => {
  expect(maskerOf(undefined)).toBeNull()
  expect(maskerOf(z.object({ id: z.string(), list: z.array(z.number()) }))).toBeNull()
  const tree: z.ZodType = z.lazy(() => z.object({ id: z.string(), children: z.array(tree) }))
  expect(maskerOf(tree)).toBeNull()
})

test('a form is read back only for whom it was masked', () => {
  const form = z.object({ name, remark: z.string() })
  const sent = { name: '王*明', remark: 'a' }
  expect(unmasked({ masking: true }, form, sent, { name: '王小明' })).toEqual({ name: '王小明', remark: 'a' })
  expect(unmasked({ masking: false }, form, sent, { name: '王小明' })).toBe(sent)
  expect(() => unmasked({ masking: true }, form, sent, { name: '李小四' })).toThrow(InvalidRequest)
})
