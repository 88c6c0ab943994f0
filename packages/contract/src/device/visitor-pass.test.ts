import { generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentialsObject } from './protocol-persons.ts'
import { isPassText, passBytes, passEntry, passText, readPass, type VisitorPass } from './visitor-pass.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))
const second = fc.integer({ min: 0, max: 0xffff_fffe }).map((value) => value * 1000)
const passes: fc.Arbitrary<VisitorPass> = fc.record({
  keyId: hex(8),
  id: hex(16),
  personId: fc.uuid(),
  validFrom: second,
  validTo: second,
  oneUse: fc.boolean(),
})
const textOf = (pass: VisitorPass) => passText(pass, sign(null, passBytes(pass), privateKey))
const isGenuine = (text: string): boolean => {
  const read = readPass(text)
  return read !== null && verify(null, read.signed, publicKey, read.signature)
}

describe('the text of a pass', () => {
  it('is read as it was made, in capital letters and small ones, and its signature holds', () => {
    fc.assert(
      fc.property(passes, (pass) => {
        const text = textOf(pass)
        expect(readPass(text)?.pass).toEqual(pass)
        expect(isGenuine(text)).toBe(true)
        expect(readPass(text.toLowerCase())?.pass).toEqual(pass)
      }),
    )
  })

  it('has 166 digits and capital letters, fits the field of the protocol, and is known by its beginning', () => {
    fc.assert(
      fc.property(passes, (pass) => {
        const text = textOf(pass)
        expect(text).toMatch(/^GHP1[A-Z2-7]{162}$/)
        expect(isPassText(text)).toBe(true)
        expect(credentialsObject.safeParse({ qrCodes: [text] }).success).toBe(true)
      }),
    )
    for (const other of ['', 'GHP', 'GHPX', 'https://example.org', '4711']) expect(isPassText(other)).toBe(false)
  })

  it('does not hold once any character is another one', () => {
    fc.assert(
      fc.property(passes, fc.nat({ max: 161 }), fc.integer({ min: 1, max: 31 }), (pass, at, by) => {
        const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
        const text = textOf(pass)
        const altered = digits[(digits.indexOf(text[4 + at]!) + by) % 32]!
        expect(isGenuine(text.slice(0, 4 + at) + altered + text.slice(5 + at))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('does not hold once any part of it is that of another pass', () => {
    fc.assert(
      fc.property(passes, passes, fc.constantFrom('keyId', 'id', 'personId', 'validFrom', 'validTo', 'oneUse'), (one, other, part) => {
        fc.pre(one[part] !== other[part])
        const mixed = { ...one, [part]: other[part] }
        expect(isGenuine(passText(mixed, sign(null, passBytes(one), privateKey)))).toBe(false)
      }),
    )
  })

  it('is no pass if it is shorter, longer, or has a flag that is not known', () => {
    const pass: VisitorPass = { keyId: '01020304', id: '0102030405060708', personId: ID, validFrom: 0, validTo: 1000, oneUse: true }
    const text = textOf(pass)
    for (const wrong of [text.slice(0, -1), `${text}A`, text.slice(0, 20), 'GHP1', `GHP2${text.slice(4)}`, `GHP1G${text.slice(5)}`])
      expect(readPass(wrong)).toBeNull()
  })

  it('is not the entry by which a device stores that the pass is in force', () => {
    fc.assert(
      fc.property(hex(16), (id) => {
        expect(readPass(passEntry(id))).toBeNull()
      }),
    )
    expect(isPassText(passEntry('0102030405060708'))).toBe(true)
  })

  it('keeps whole seconds and never shortens the validity', () => {
    const times = { validFrom: 1_700_000_000_999, validTo: 1_700_000_100_001 }
    const pass: VisitorPass = { keyId: '01020304', id: '0102030405060708', personId: ID, ...times, oneUse: false }
    expect(readPass(textOf(pass))?.pass).toMatchObject({ validFrom: 1_700_000_000_000, validTo: 1_700_000_101_000 })
  })
})

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
