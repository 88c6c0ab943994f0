/** Masked display of personal values, and what a form may send back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { looksMasked, mask, maskKindOf, masked, maskedFieldsOf, searchedFieldsOf, searches, unmask, type MaskKind } from './masking.ts'
import { personChange, personCreate } from './people/person-fields.ts'
import { personName } from './people/fields.ts'

const KINDS: readonly MaskKind[] = ['name', 'phone', 'idNumber', 'email', 'cardNumber']
const kind = fc.constantFrom(...KINDS)

describe('a masked value', () => {
  test.each([
    ['name', '王', '*'],
    ['name', '王明', '王*'],
    ['name', '王小明', '王*明'],
    ['name', '欧阳小明', '欧**明'],
    ['name', 'Jonathan', 'J******n'],
    // A rare character is one, not two halves.
    ['name', '𠮷野家', '𠮷*家'],
    ['phone', '13812345678', '138****5678'],
    ['phone', '1234567', '*****67'],
    ['phone', '123', '*23'],
    ['idNumber', '110101199003078515', '110********15'],
    ['idNumber', '1234', '***4'],
    ['idNumber', '1', '*'],
    ['cardNumber', '5566778899', '******8899'],
    ['cardNumber', '1234567', '*****67'],
    ['cardNumber', '1', '*'],
    ['email', 'jonathan@example.org', 'j***@example.org'],
    ['email', 'j@example.org', 'j***@example.org'],
    ['email', 'no address', 'n********'],
  ] as const)('of a %s: %s is %s', (of, value, shown) => {
    expect(mask(of, value)).toBe(shown)
  })

  test('of nothing is nothing', () => {
    for (const of of KINDS) expect(mask(of, '')).toBe('')
  })

  test('holds an asterisk and never the whole value', () => {
    fc.assert(
      fc.property(
        kind,
        fc.string({ minLength: 1, maxLength: 64 }).filter((text) => !text.includes('*')),
        (of, value) => {
          const shown = mask(of, value)
          expect(shown).toContain('*')
          expect(shown).not.toContain(value)
        },
      ),
    )
  })

  test('of a name, a phone, an ID number or a card number is no longer than the value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('name', 'phone', 'idNumber', 'cardNumber' as const),
        fc.string({ minLength: 1, maxLength: 64 }),
        (of, value) => Buffer.byteLength(mask(of, value)) <= Buffer.byteLength(value),
      ),
    )
  })
})

describe('the mark of a field', () => {
  const text = masked('phone', z.string())
  test.each([
    ['itself', text],
    ['optional', text.optional()],
    ['nullable', text.nullable()],
    ['with a default', text.default('')],
    ['in a union', z.union([z.literal(''), text]).nullish()],
    ['refined afterwards', text.refine((value) => value !== 'x')],
    ['in a pipe', text.pipe(z.string())],
  ])('is found %s', (_, schema) => {
    expect(maskKindOf(schema)).toBe('phone')
  })
  test('leaves the schema it was made of without one', () => {
    const plain = z.string()
    masked('name', plain)
    expect(maskKindOf(plain)).toBeNull()
  })
  test('stands at the name, phone, e-mail, ID number and card number of a person’s form, and nowhere else in it', () => {
    const marks = { name: 'name', phone: 'phone', email: 'email', idNumber: 'idNumber', cardNumber: 'cardNumber' }
    for (const schema of [personCreate, personChange]) expect(Object.fromEntries(maskedFieldsOf(schema))).toEqual(marks)
  })
})

test('a filter that looks for part of a personal field is marked as such, and masks nothing', () => {
  const query = z.object({ phone: searches('phone', z.string().max(64)).optional(), workNumber: z.string().optional() })
  expect([...searchedFieldsOf(query)]).toEqual([['phone', 'phone']])
  expect([...maskedFieldsOf(query), ...searchedFieldsOf(undefined)]).toEqual([])
})

describe('what a form sends back', () => {
  const form = z.object({
    name: masked('name', z.string()),
    phone: masked('phone', z.string()).optional(),
    email: masked('email', z.string()).optional(),
    remark: z.string().optional(),
  })
  const stored = { name: '王小明', phone: '13812345678', email: 'wang@example.org', remark: '***' }

  test('unchanged is what was stored', () => {
    fc.assert(
      fc.property(kind, fc.string({ maxLength: 40 }), (of, value) => {
        const schema = z.object({ field: masked(of, z.string()) })
        expect(unmask(schema, { field: mask(of, value) }, { field: value })).toEqual({ values: { field: value }, issues: [] })
      }),
    )
  })
  test('changed is what was typed', () => {
    const sent = { name: '李四', phone: '', email: 'li@example.org', remark: 'a*b**' }
    expect(unmask(form, sent, stored)).toEqual({ values: sent, issues: [] })
  })
  test('with asterisks of its own is refused at its field', () => {
    const sent = { name: '王**明', phone: '139****5678', email: 'x***@example.org', remark: '***' }
    expect(unmask(form, sent, stored).issues).toEqual(['name', 'phone', 'email'].map((path) => ({ path, rule: 'masked' })))
  })
  test('masked where nothing was stored is refused', () => {
    expect(unmask(form, { name: '王*明' }).issues).toEqual([{ path: 'name', rule: 'masked' }])
  })
  test('a phone may hold a single asterisk', () => {
    expect(unmask(form, { name: '王小明', phone: '*100#' }, stored)).toEqual({ values: { name: '王小明', phone: '*100#' }, issues: [] })
    expect(looksMasked('phone', '*31#12')).toBe(false)
    expect(looksMasked('phone', '138**12')).toBe(true)
    for (const of of ['name', 'idNumber', 'email'] as const) expect(looksMasked(of, 'a*b')).toBe(true)
  })
})

describe('a person’s name', () => {
  test('as it is shown masked passes the form', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 1, maxLength: 64, unit: 'grapheme' })
          .filter((name) => name === name.trim() && personName.safeParse(name).success),
        (name) => personName.safeParse(mask('name', name)).success,
      ),
    )
  })
  test.each(['a*b*', '*a*b', 'a*********b', 'ab*c', '***:'])('with other asterisks does not: %s', (name) => {
    expect(personName.safeParse(name).success).toBe(false)
  })
})
