import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IncompatibleModel } from '../match.ts'
import { FaceGallery } from './gallery.ts'
import type { GalleryEntry } from './entry.ts'
import { KERNELS } from './kernel.ts'
import type { KernelKind } from './kernel.ts'
import { PlainGallery } from './plain.ts'
import { MODEL, byTryingEverything, embeddingNumbers, entryOf, seededNumbers } from './testing/galleries.ts'

const entry = (personId: string, photoId: string, ...numbers: number[]) => entryOf(4, personId, photoId, numbers)
const probe = (...numbers: number[]) => entry('', '', ...numbers)
const personsOf = (matches: readonly { personId: string }[]) => matches.map(({ personId }) => personId)

/** The same entries in the fast gallery, in the plain loop, and as they are. */
function filled(kernel: KernelKind, dimensions: number, entries: readonly GalleryEntry[]) {
  const gallery = new FaceGallery({ modelId: MODEL, dimensions, kernel })
  const plain = new PlainGallery({ modelId: MODEL, dimensions })
  for (const one of entries) {
    gallery.add('park', one)
    plain.add(one)
  }
  return { gallery, plain }
}

describe.each(KERNELS)('with the %s kernel', (kernel) => {
  const empty = () => new FaceGallery({ modelId: MODEL, dimensions: 4, kernel })

  test('after any adding, replacing and removing, a search finds what trying everything finds, to the last bit', () => {
    const changes = (dimensions: number) =>
      fc.array(
        fc.record({
          kind: fc.constantFrom('add', 'add', 'add', 'remove', 'drop'),
          segment: fc.constantFrom('north', 'south'),
          person: fc.nat(12),
          photo: fc.nat(3),
          whole: fc.boolean(),
          numbers: embeddingNumbers(dimensions),
        }),
        { maxLength: 150 },
      )
    const question = fc.record({
      limit: fc.integer({ min: 0, max: 15 }),
      within: fc.oneof(fc.constant(Infinity), fc.double({ min: -1, max: 4, noNaN: true })),
      except: fc.uniqueArray(fc.nat(12), { maxLength: 4 }).map((persons) => new Set(persons.map((person) => `p${person}`))),
      only: fc.option(
        fc.uniqueArray(fc.nat(14), { maxLength: 5 }).map((persons) => new Set(persons.map((person) => `p${person}`))),
        { nil: undefined },
      ),
    })
    const stories = fc
      .integer({ min: 1, max: 40 })
      .chain((dimensions) => fc.tuple(changes(dimensions), embeddingNumbers(dimensions), question))
    fc.assert(
      fc.property(stories, ([all, probed, options]) => {
        const dimensions = probed.length
        const faces = new FaceGallery({ modelId: MODEL, dimensions, kernel })
        const kept = { north: new Map<string, GalleryEntry>(), south: new Map<string, GalleryEntry>() }
        for (const { kind, segment, person, photo, whole, numbers } of all) {
          const one = entryOf(dimensions, `p${person}`, `f${photo}`, numbers)
          if (kind === 'drop' && photo === 0) {
            faces.drop(segment)
            kept[segment as 'north'].clear()
          } else if (kind === 'remove') {
            const gone = [...kept[segment as 'north']].filter(
              ([, { personId, photoId }]) => personId === one.personId && (whole || photoId === one.photoId),
            )
            expect(faces.remove(segment, one.personId, whole ? undefined : one.photoId)).toBe(gone.length)
            for (const [key] of gone) kept[segment as 'north'].delete(key)
          } else {
            faces.add(segment, one)
            kept[segment as 'north'].set(`${one.personId}/${one.photoId}`, one)
          }
        }
        for (const segment of ['north', 'south'] as const) {
          expect(faces.size(segment)).toBe(kept[segment].size)
          const expected = byTryingEverything([...kept[segment].values()], Float32Array.from(probed), options)
          expect(faces.search(segment, entryOf(dimensions, '', '', probed), options)).toEqual(expected)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('answers as the plain loop does, over many chunks and random faces', () => {
    const next = seededNumbers(7)
    for (const dimensions of [128, 256]) {
      const random = () => Array.from({ length: dimensions }, () => next() / 10)
      const entries = Array.from({ length: 3000 }, (_, i) => entryOf(dimensions, `p${i % 1000}`, `f${i}`, random()))
      const { gallery, plain } = filled(kernel, dimensions, entries)
      for (let i = 0; i < 150; i++) {
        const near = entries[i]!.embedding.map((number) => number + next() / 30)
        const asked = i % 2 === 0 ? entryOf(dimensions, '', '', random()) : { modelId: MODEL, embedding: near }
        expect(gallery.search('park', asked)).toEqual(plain.search(asked))
      }
    }
  })

  test('answers as the plain loop does about chosen persons, whether they are few or nearly everybody', () => {
    const next = seededNumbers(11)
    const entries = Array.from({ length: 3000 }, (_, i) =>
      entryOf(
        128,
        `p${i % 1000}`,
        `f${i}`,
        Array.from({ length: 128 }, () => next() / 10),
      ),
    )
    const { gallery, plain } = filled(kernel, 128, entries)
    for (let i = 0; i < 60; i++) {
      const near = { modelId: MODEL, embedding: entries[i * 7]!.embedding.map((number) => number + next() / 30) }
      for (const every of [1, 2, 10, 100, 400]) {
        const only = new Set(entries.flatMap(({ personId }, at) => (at % every === i % every ? personId : [])))
        const options = { limit: 3, only, except: new Set([`p${(i * 7 + every) % 1000}`]) }
        expect(gallery.search('park', near, options)).toEqual(plain.search(near, options))
      }
    }
  })

  describe.each([
    ['all faces the same', () => [0.5, 0.5, 0.5]],
    ['nothing but zeros', () => []],
    ['the largest numbers there are', (i: number) => [3.4e38, -3.4e38, i % 2 === 0 ? 3.4e38 : 1]],
    ['one face among giants', (i: number) => (i === 150 ? [0.1] : [1e30 * i])],
    ['the smallest numbers there are', (i: number) => [i / 1e44, 1e-40]],
    ['every face nearer than the one before', (i: number) => [1 - i / 1000]],
    ['small beside large', (i: number) => [1e6, i / 1000]],
  ] as const)('%s', (_, numbersOf) => {
    const entries = Array.from({ length: 300 }, (_unused, i) =>
      entry(`p${String(i % 100).padStart(3, '0')}`, `f${String(999 - i)}`, ...numbersOf(i)),
    )
    test.each([1, 5, 100, 1000])('limit %i', (limit) => {
      const { gallery, plain } = filled(kernel, 4, entries)
      for (const asked of [probe(), probe(0.5, 0.5, 0.5), probe(3.4e38, 1), probe(1.4e-45), probe(1e6, 0.2001)]) {
        const expected = byTryingEverything(entries, asked.embedding, { limit })
        expect(gallery.search('park', asked, { limit })).toEqual(expected)
        expect(plain.search(asked, { limit })).toEqual(expected)
      }
    })
  })

  test('a person with thousands of photographs is one person', () => {
    const entries = Array.from({ length: 5000 }, (_, i) => entry('many', `f${i}`, 0.5 + i / 10_000))
    entries.splice(2500, 0, entry('one', 'f', 0.9), entry('two', 'f', 2))
    const { gallery } = filled(kernel, 4, entries)
    expect(gallery.search('park', probe(0.45), { limit: 3 })).toEqual(byTryingEverything(entries, probe(0.45).embedding, { limit: 3 }))
    expect(personsOf(gallery.search('park', probe(0.45), { limit: 2, except: new Set(['many']) }))).toEqual(['one', 'two'])
    expect(gallery.remove('park', 'many')).toBe(5000)
    expect(personsOf(gallery.search('park', probe(0.45)))).toEqual(['one', 'two'])
  })

  test('names the nearest photograph of each person, nearest person first', () => {
    const faces = empty()
    faces.add('park', entry('ann', 'old', 0.9))
    faces.add('park', entry('bob', 'only', 0.3))
    faces.add('park', entry('ann', 'new', 0.1))
    expect(faces.search('park', probe(0)).map(({ personId, photoId }) => [personId, photoId])).toEqual([
      ['ann', 'new'],
      ['bob', 'only'],
    ])
  })

  test('stays within its segment and its distance', () => {
    const faces = empty()
    faces.add('north', entry('ann', '1', 0.2))
    faces.add('south', entry('bob', '1', 0.1))
    faces.add('north', entry('cid', '1', 0.6))
    expect(personsOf(faces.search('north', probe(0), { within: 0.5 }))).toEqual(['ann'])
    expect(faces.search('nowhere', probe(0))).toEqual([])
    expect([faces.size('north'), faces.size('south'), faces.size('nowhere'), faces.size()]).toEqual([2, 1, 0, 3])
  })
})

test('another model, another length, or numbers that are none are refused and leave nothing behind', () => {
  const faces = new FaceGallery({ modelId: MODEL, dimensions: 4 })
  expect(() => faces.add('park', { ...entry('ann', '1', 1), modelId: 'other' })).toThrow(IncompatibleModel)
  expect(() => faces.search('park', { ...probe(1), modelId: 'other' })).toThrow(IncompatibleModel)
  expect(() => faces.add('park', { ...entry('ann', '1'), embedding: new Float32Array(3) })).toThrow(RangeError)
  for (const number of [NaN, Infinity, -Infinity]) {
    expect(() => faces.add('park', entry('ann', '1', 1, number))).toThrow(RangeError)
    expect(() => faces.search('park', probe(1, number))).toThrow(RangeError)
  }
  expect(faces.size()).toBe(0)
  for (const dimensions of [0, -1, 1.5, NaN, 4097]) expect(() => new FaceGallery({ modelId: MODEL, dimensions })).toThrow(RangeError)
})

describe('memory', () => {
  const MEGABYTE = 1_000_000

  test('that is full says so, keeps what is there, and takes more once there is room', () => {
    const faces = new FaceGallery({ modelId: MODEL, dimensions: 128, bytes: 3 * MEGABYTE })
    const person = (i: number) => entryOf(128, `p${i}`, 'f', [i / 100])
    let count = 0
    expect(() => {
      for (; count < 100_000; count++) faces.add('park', person(count))
    }).toThrow(RangeError)
    expect(count).toBeGreaterThan(3000)
    expect(() => faces.add('park', person(count))).toThrow(`the gallery is full: its memory holds ${count} templates of 128 numbers`)
    expect(faces.memory().templates).toBe(count)
    expect(faces.memory().bytes).toBeLessThanOrEqual(3 * MEGABYTE)
    expect(() => faces.add('other', person(1))).toThrow(RangeError)
    expect(faces.size('other')).toBe(0)
    faces.add('park', entryOf(128, 'p7', 'f', [-5]))
    expect(personsOf(faces.search('park', entryOf(128, '', '', [-5]), { limit: 2 }))).toEqual(['p7', 'p0'])
    faces.drop('park')
    faces.add('other', person(1))
    expect(personsOf(faces.search('other', person(1)))).toEqual(['p1'])
  })

  test('serves a thousand small parks, and one large after them, without growing', () => {
    const faces = new FaceGallery({ modelId: MODEL, dimensions: 16 })
    for (let park = 0; park < 1000; park++) for (let i = 0; i < 3; i++) faces.add(`park ${park}`, entryOf(16, `p${i}`, 'f', [park, i]))
    expect(personsOf(faces.search('park 707', entryOf(16, '', '', [707, 2]), { limit: 1 }))).toEqual(['p2'])
    const { bytes } = faces.memory()
    for (let park = 0; park < 1000; park++) faces.drop(`park ${park}`)
    for (let i = 0; i < 60_000; i++) faces.add('large', entryOf(16, `p${i}`, 'f', [i]))
    expect(faces.memory()).toEqual({ bytes, templates: 60_000 })
    expect(personsOf(faces.search('large', entryOf(16, '', '', [43_210.2]), { limit: 2 }))).toEqual(['p43210', 'p43211'])
  })
})
