/** Keys of bodies: known, renamed or odd, wherever they stand. */
import { changesByItself, formerly } from '@gatehouse/contract/wire-names'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bodyKeysOf, formerNamesAdder, isSentBack, recordFieldsOf, recordIn, recordPassedOverOf, removeKey } from './request-keys.ts'

const contact = z.object({ name: z.string(), phone: formerly('telephone', z.string().optional()) })
const schema = z
  .object({
    name: z.string(),
    expiry: formerly('expiresAt', z.number().nullish()),
    contacts: z.array(contact).default([]),
    words: z.record(z.string(), z.object({ text: z.string() })).optional(),
    open: z.object({ known: z.string() }).catchall(z.string()).optional(),
    either: z.union([z.object({ id: z.string() }), z.object({ code: z.string(), area: z.string() })]).optional(),
    said: z.preprocess((value) => value, z.object({ yes: z.boolean() })).optional(),
  })
  .refine(() => true)

const oddOf = (body: unknown) => bodyKeysOf(schema)(body).map(({ path, rule }) => `${path.join('.')} ${rule}`)

describe('the keys of a body', () => {
  it('are known at every depth, or named', () => {
    expect(oddOf({ name: 'a', contacts: [{ name: 'b' }], words: { en: { text: 'c' } } })).toEqual([])
    expect(
      oddOf({
        name: 'a',
        extra: 1,
        contacts: [{ name: 'b' }, { name: 'c', from: 2 }],
        words: { en: { text: 'd', tone: 'e' } },
        said: { yes: true, no: false },
      }),
    ).toEqual(['extra unknownField', 'contacts.1.from unknownField', 'words.en.tone unknownField', 'said.no unknownField'])
  })

  it('are free where the schema leaves them free', () => {
    expect(oddOf({ name: 'a', open: { known: 'b', other: 'c' } })).toEqual([])
  })

  it('belong to one of several forms, not to two', () => {
    expect(oddOf({ either: { id: 'a' } })).toEqual([])
    expect(oddOf({ either: { code: 'a', area: 'b' } })).toEqual([])
    expect(oddOf({ either: { id: 'a', area: 'b' } })).toEqual(['either.area unknownField'])
  })

  it('are all odd where a call takes no body', () => {
    expect(bodyKeysOf(undefined)({ a: 1 })).toEqual([{ path: ['a'], rule: 'unknownField' }])
    expect(bodyKeysOf(undefined)(undefined)).toEqual([])
  })

  it('that come with a list or a text where an object belongs are left to the schema', () => {
    expect(oddOf([{ extra: 1 }])).toEqual([])
    expect(oddOf('extra')).toEqual([])
    expect(oddOf({ contacts: { extra: 1 } })).toEqual([])
  })

  it('that every object has are none of a body', () => {
    expect(oddOf(JSON.parse('{"name":"a","constructor":1,"__proto__":2,"toString":3}'))).toEqual([
      'constructor unknownField',
      '__proto__ unknownField',
      'toString unknownField',
    ])
  })
})

describe('a former name', () => {
  it('becomes the name', () => {
    const body = { name: 'a', expiresAt: 5, contacts: [{ name: 'b', telephone: '1' }] }
    expect(oddOf(body)).toEqual([])
    expect(body).toEqual({ name: 'a', expiry: 5, contacts: [{ name: 'b', phone: '1' }] })
  })

  it('beside the name says the same, or is refused', () => {
    expect(oddOf({ expiresAt: 5, expiry: 5 })).toEqual([])
    expect(oddOf({ expiresAt: 5, expiry: 6 })).toEqual(['expiresAt twoNames'])
  })

  it('is answered besides', () => {
    const add = formerNamesAdder(z.object({ content: z.array(schema) }))!
    expect(add({ content: [{ name: 'a', expiry: 5, contacts: [{ name: 'b', phone: '1' }] }] })).toEqual({
      content: [{ name: 'a', expiry: 5, expiresAt: 5, contacts: [{ name: 'b', phone: '1', telephone: '1' }] }],
    })
    expect(formerNamesAdder(z.object({ name: z.string() }))).toBeNull()
  })
})

describe('a record that is sent back', () => {
  const record = z.object({ id: z.string(), name: z.string(), online: changesByItself(z.boolean()), picture: z.string() })

  it('has the fields of an answer, a row or a node', () => {
    for (const answer of [record, record.nullable(), z.array(record), z.object({ total: z.number(), content: z.array(record) })]) {
      expect([...recordFieldsOf(answer).keys()]).toEqual(['id', 'name', 'online', 'picture'])
      expect([...recordPassedOverOf(answer)]).toEqual(['online'])
    }
  })

  it('is found by its id, wherever it stands', () => {
    const one = { id: '2', name: 'b' }
    expect(recordIn(one, '2')).toBe(one)
    expect(recordIn({ total: 1, content: [{ id: '1' }, one] }, '2')).toBe(one)
    expect(recordIn([{ id: '1', children: [{ id: '3', children: [one] }] }], '2')).toBe(one)
    expect(recordIn([{ id: '1' }], '2')).toBeNull()
  })

  it('is as it was whatever the signature of an address', () => {
    expect(isSentBack({ picture: '/files/1?s=a' }, { picture: '/files/1?s=b' }, ['picture'])).toBe(true)
    expect(isSentBack({ picture: '/files/1?s=a' }, { picture: '/files/2?s=a' }, ['picture'])).toBe(false)
    expect(isSentBack({ faces: [{ url: '/a?s=1', score: 1 }] }, { faces: [{ url: '/a?s=2', score: 1 }] }, ['faces'])).toBe(true)
    expect(isSentBack({ faces: [{ url: '/a', score: 1 }] }, { faces: [{ url: '/a', score: 2 }] }, ['faces'])).toBe(false)
  })

  it('loses what its call does not change', () => {
    const body = { id: '1', contacts: [{ name: 'a', personId: '1' }] }
    removeKey(body, ['contacts', 0, 'personId'])
    expect(body).toEqual({ id: '1', contacts: [{ name: 'a' }] })
  })
})
