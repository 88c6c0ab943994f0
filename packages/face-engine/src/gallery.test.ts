import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FaceGallery } from './gallery.ts'
import type { GalleryEntry, GalleryMatch } from './gallery.ts'
import { IncompatibleModel } from './match.ts'

const DIMENSIONS = 4
const gallery = () => new FaceGallery({ modelId: 'm', dimensions: DIMENSIONS })
const entry = (personId: string, photoId: string, ...numbers: number[]): GalleryEntry => ({
  personId,
  photoId,
  modelId: 'm',
  embedding: Float32Array.from({ length: DIMENSIONS }, (_, i) => numbers[i] ?? 0),
})
const probe = (...numbers: number[]) => entry('', '', ...numbers)

/** The answer by trying everything. */
function bruteForce(entries: GalleryEntry[], { embedding }: GalleryEntry, limit: number): GalleryMatch[] {
  const best = new Map<string, GalleryMatch>()
  for (const { personId, photoId, embedding: other } of entries) {
    const distance = Math.sqrt(other.reduce((sum, value, i) => sum + (value - embedding[i]!) ** 2, 0))
    if (distance < (best.get(personId)?.distance ?? Infinity)) best.set(personId, { personId, photoId, distance })
  }
  return [...best.values()].sort((a, b) => a.distance - b.distance).slice(0, limit)
}

const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
const change = fc.record({
  remove: fc.boolean(),
  person: fc.integer({ min: 0, max: 12 }),
  photo: fc.integer({ min: 0, max: 2 }),
  whole: fc.boolean(),
  numbers,
})

test('after any adding, replacing and removing, a search finds what trying everything finds', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 150 }), numbers, fc.integer({ min: 1, max: 6 }), (changes, probed, limit) => {
      const faces = gallery()
      const kept = new Map<string, GalleryEntry>()
      for (const { remove, person, photo, whole, numbers: embedding } of changes) {
        const added = entry(`p${person}`, `f${photo}`, ...embedding)
        if (!remove) {
          faces.add('park', added)
          kept.set(`${added.personId}/${added.photoId}`, added)
          continue
        }
        const gone = [...kept].filter(([, { personId, photoId }]) => personId === added.personId && (whole || photoId === added.photoId))
        expect(faces.remove('park', added.personId, whole ? undefined : added.photoId)).toBe(gone.length)
        for (const [key] of gone) kept.delete(key)
      }
      expect(faces.size('park')).toBe(kept.size)
      const found = faces.search('park', probe(...probed), { limit })
      const expected = bruteForce([...kept.values()], probe(...probed), limit)
      expect(found.map(({ distance }) => distance.toFixed(9))).toEqual(expected.map(({ distance }) => distance.toFixed(9)))
      // Equal distances may come in either order; each must be a true one.
      for (const match of found) {
        const [alone] = bruteForce([kept.get(`${match.personId}/${match.photoId}`)!], probe(...probed), 1)
        expect(alone!.distance).toBeCloseTo(match.distance, 9)
      }
      expect(new Set(found.map(({ personId }) => personId)).size).toBe(found.length)
    }),
  )
})

describe('a search', () => {
  test('names the nearest photograph of each person, nearest person first', () => {
    const faces = gallery()
    faces.add('park', entry('ann', 'old', 0.9))
    faces.add('park', entry('bob', 'only', 0.3))
    faces.add('park', entry('ann', 'new', 0.1))
    expect(faces.search('park', probe(0)).map(({ personId, photoId }) => [personId, photoId])).toEqual([['ann', 'new'], ['bob', 'only']])
  })

  test('stays within its segment and its distance', () => {
    const faces = gallery()
    faces.add('north', entry('ann', '1', 0.2))
    faces.add('south', entry('bob', '1', 0.1))
    faces.add('north', entry('cid', '1', 0.6))
    expect(faces.search('north', probe(0), { within: 0.5 }).map(({ personId }) => personId)).toEqual(['ann'])
    expect(faces.search('nowhere', probe(0))).toEqual([])
    expect([faces.size('north'), faces.size('south'), faces.size('nowhere'), faces.size()]).toEqual([2, 1, 0, 3])
  })

  test('grows beyond its first room', () => {
    const faces = gallery()
    for (let i = 0; i < 1000; i++) faces.add('park', entry(`p${i}`, '1', i))
    expect(faces.search('park', probe(777.2), { limit: 2 }).map(({ personId }) => personId)).toEqual(['p777', 'p778'])
  })
})

test('another model, or another length, is refused', () => {
  const faces = gallery()
  expect(() => faces.add('park', { ...entry('ann', '1', 1), modelId: 'other' })).toThrow(IncompatibleModel)
  expect(() => faces.search('park', { ...probe(1), modelId: 'other' })).toThrow(IncompatibleModel)
  expect(() => faces.add('park', { ...entry('ann', '1'), embedding: new Float32Array(3) })).toThrow(RangeError)
  expect(faces.size()).toBe(0)
})
