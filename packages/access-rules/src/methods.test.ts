import { accessMethod } from '@gatehouse/contract/enums'
import { expect, test } from 'vitest'
import type { Evidence } from './evidence.ts'
import { personNamed } from './factors.ts'
import type { AccessPerson } from './model.ts'
import {
  CREDENTIAL_KINDS,
  credentialsOf,
  evidenceReported,
  factorsOf,
  failReasonOf,
  methodOf,
  missingFactors,
  worksWithoutFace,
} from './methods.ts'

test('every method that is not permitted has the fail reason of what was shown first', () => {
  expect(accessMethod.values.map((method) => [method, failReasonOf(method)])).toEqual([
    [1, 2],
    [2, 4],
    [3, 4],
    [4, 3],
    [5, 3],
    [6, 5],
    [7, 5],
    [8, 21],
    [9, 21],
    [10, 21],
    [11, 21],
    [12, 20],
    [13, 4],
    [14, 3],
    [15, 21],
  ])
  expect(failReasonOf(null)).toBe(99)
})

test('a person without a face passes by methods that compare none', () => {
  expect(accessMethod.values.filter(worksWithoutFace)).toEqual([2, 4, 6, 8, 12, 13, 14, 15])
  expect([0, 16].some(worksWithoutFace)).toBe(false)
})

const device = { thresholds: { face: 60 } }
const named = (evidence: Evidence, ...persons: readonly AccessPerson[]) =>
  personNamed(evidence, device, (id) => persons.find((person) => person.id === id))
const reported = (method: number) => evidenceReported({ method, personId: 'ann', score: 90, moment: 7 })

test('the method tried is told by what was shown, whether it matched or not', () => {
  expect(methodOf({ face: { personId: null, score: 0 } })).toBe(1)
  expect(methodOf({ card: { personId: null, matched: false }, face: { personId: null, score: 0 } })).toBe(5)
  expect(methodOf({})).toBeNull()
  expect(methodOf({ idCard: { personId: 'ann', matched: true } })).toBeNull()
  expect(methodOf({ face: { personId: 'ann', score: 90 }, secondVerification: { outcome: 'confirmed' } })).toBe(1)
})

test('every method has factors of its own, which tell it again', () => {
  expect(accessMethod.values.map((method) => methodOf(reported(method)))).toEqual([...accessMethod.values])
  expect(new Set(accessMethod.values.map((method) => factorsOf(method).toSorted().join())).size).toBe(15)
})

test('what a device reports names the person by every method but the password of the device', () => {
  const nameless = accessMethod.values.filter((method) => named(reported(method)) !== 'ann')
  expect(nameless).toEqual([accessMethod.devicePassword])
  expect(reported(5)).toEqual({ card: { personId: 'ann', matched: true, seenAt: 7 }, face: { personId: 'ann', score: 90, seenAt: 7 } })
  expect(reported(16)).toEqual({})
})

test('a factor is missing where one more makes a method that is taken', () => {
  expect(missingFactors(['card'], [1, 4, 5, 14])).toEqual(['face', 'personalPassword'])
  expect(missingFactors(['idCard'], accessMethod.values)).toEqual(['face', 'idNumber', 'idPortrait'])
  expect(missingFactors(['card', 'face'], accessMethod.values)).toEqual([])
  expect(missingFactors([], accessMethod.values)).toEqual([])
})

test('the person named is that of the factor believed first, of those that match', () => {
  const bobs = { personId: 'bob', matched: true }
  expect(named({ card: bobs, face: { personId: 'ann', score: 90 } })).toBe('bob')
  expect(named({ card: { ...bobs, matched: false }, face: { personId: 'ann', score: 90 } })).toBe('ann')
  expect(named({ personalPassword: bobs, face: { personId: 'ann', score: 90 } })).toBe('ann')
  expect(named({ personalPassword: bobs, face: { personId: 'ann', score: 59 } })).toBe('bob')
  expect(named({ face: { personId: 'ann', score: 59 } })).toBeNull()
  expect(named({ idPortrait: { matched: true } })).toBeNull()
})

test("a face names whoever reaches the threshold of his own, and is never judged by somebody else's", () => {
  const ann = (faceThreshold: number | null) => ({ id: 'ann', enabled: true, faceThreshold, faceThresholdLoosens: true })
  const bob = (faceThreshold: number) => ({ id: 'bob', enabled: true, faceThreshold, faceThresholdLoosens: true })
  const face = (score: number) => ({ face: { personId: 'ann', score } })
  expect(named(face(55), ann(50))).toBe('ann')
  expect(named(face(55), { ...ann(50), faceThresholdLoosens: false })).toBeNull()
  expect(named(face(55), ann(null))).toBeNull()
  expect(named(face(90), ann(95))).toBeNull()
  expect(named(face(55), bob(50))).toBeNull()
  expect(named(face(90), bob(95))).toBe('ann')
  expect(named({ ...face(90), personalPassword: { personId: 'bob', matched: true } }, ann(95), bob(50))).toBe('bob')
})

test('a device knows of persons what some method compares, and no more', () => {
  expect(accessMethod.values.map((method) => [method, [...credentialsOf([method])]])).toEqual([
    [1, []],
    [2, ['idNumber']],
    [3, ['idNumber']],
    [4, ['cards']],
    [5, ['cards']],
    [6, ['qrCodes']],
    [7, ['qrCodes']],
    [8, []],
    [9, []],
    [10, ['personalPassword']],
    [11, ['personalPassword']],
    [12, ['handprints']],
    [13, ['idNumber']],
    // Beside a card its own password counts, and that of the person where it has none.
    [14, ['cards', 'personalPassword', 'cardPassword']],
    [15, ['personalPassword']],
  ])
  expect([...credentialsOf(accessMethod.values)].toSorted()).toEqual(CREDENTIAL_KINDS.toSorted())
})
