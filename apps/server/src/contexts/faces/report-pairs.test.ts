/** The arithmetic of the report: which pairs are compared, which slices exist, and which persons are closest. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gender } from '@gatehouse/contract/enums'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { createClosestPairs } from './report-closest.ts'
import { countPairs, distanceBetween, genuinePairs, impostorPairs, probesOf, type ReportGallery, type TakePair } from './report-pairs.ts'
import { PERSONS_PER_SLICE, ageBand, slicesOf, type SlicedPerson } from './report-slices.ts'

/** Create a gallery of persons with these numbers of photos. */
function galleryOf(photos: readonly number[], dimensions = 3): ReportGallery {
  const random = randomOf('gallery')
  const starts = Uint32Array.from([0, ...photos.map((_, person) => photos.slice(0, person + 1).reduce((sum, count) => sum + count, 0))])
  return { dimensions, starts, embeddings: Float32Array.from({ length: starts.at(-1)! * dimensions }, () => random.between(-1, 1)) }
}
const everybody = ({ starts }: ReportGallery) => Uint32Array.from({ length: starts.length - 1 }, (_, person) => person)

type Pair = [first: number, second: number, distance: number]
function collected(run: (take: TakePair) => void): Pair[] {
  const pairs: Pair[] = []
  run((...pair) => pairs.push(pair))
  return pairs
}

/** Return all pairs of photos, computed naively. */
function allPairs(gallery: ReportGallery): Pair[] {
  const { starts, embeddings, dimensions } = gallery
  const owner = (photo: number) => starts.findLastIndex((start) => start <= photo)
  const photos = Array.from({ length: starts.at(-1)! }, (_, photo) => ({
    person: owner(photo),
    numbers: [...embeddings.subarray(photo * dimensions, (photo + 1) * dimensions)],
  }))
  return photos.flatMap((one, place) =>
    photos
      .slice(place + 1)
      .map(({ person, numbers }): Pair => [one.person, person, Math.hypot(...numbers.map((number, at) => number - one.numbers[at]!))]),
  )
}
const sorted = (pairs: readonly Pair[]) => pairs.map(([first, second, distance]) => `${first} ${second} ${distance.toFixed(5)}`).toSorted()

describe('pairs', () => {
  test('below the bound all pairs are compared, genuine and of different persons, and counted right', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        (photos, dimensions) => {
          const gallery = galleryOf(photos, dimensions)
          const persons = everybody(gallery)
          const genuine = collected((take) => genuinePairs(gallery, persons, take))
          const impostors = collected((take) => impostorPairs(gallery, persons, { bound: Infinity, seed: '' }, take))
          const all = allPairs(gallery)
          expect(sorted(genuine)).toEqual(sorted(all.filter(([first, second]) => first === second)))
          expect(sorted(impostors)).toEqual(sorted(all.filter(([first, second]) => first !== second)))
          expect(countPairs(gallery, persons)).toEqual({
            photos: gallery.starts.at(-1),
            genuine: genuine.length,
            impostor: impostors.length,
          })
        },
      ),
    )
  })

  test('above it as many as the bound, each person equally often, nobody against himself, the same by the same seed', () => {
    const gallery = galleryOf(Array.from({ length: 40 }, (_, person) => 1 + (person % 3)))
    const persons = everybody(gallery)
    const draw = (seed: string) => collected((take) => impostorPairs(gallery, persons, { bound: 1200, seed }, take))
    const pairs = draw('one')
    expect(pairs).toHaveLength(1200)
    expect(pairs.every(([first, second]) => first !== second)).toBe(true)
    const drawn = Map.groupBy(pairs, ([first]) => first)
    expect([...drawn.values()].map((own) => own.length)).toEqual(Array.from(persons, () => 30))
    expect(new Set(pairs.map(([, second]) => second)).size).toBe(40)
    const known = new Set(sorted(allPairs(gallery)).flatMap((pair) => [pair, pair.replace(/^(\d+) (\d+)/, '$2 $1')]))
    expect(sorted(pairs).every((pair) => known.has(pair))).toBe(true)
    expect(draw('one')).toEqual(pairs)
    expect(draw('two')).not.toEqual(pairs)
  })

  test('only persons of the part are compared', () => {
    const gallery = galleryOf([2, 2, 2, 2, 2])
    for (const bound of [5, Infinity]) {
      const pairs = collected((take) => impostorPairs(gallery, Uint32Array.of(0, 3, 4), { bound, seed: '' }, take))
      expect(new Set(pairs.flatMap(([first, second]) => [first, second]))).toEqual(new Set([0, 3, 4]))
    }
    expect(collected((take) => genuinePairs(gallery, Uint32Array.of(3), take))).toEqual([[3, 3, distanceBetween(gallery, 6, 7)]])
  })
})

describe('photographs to search with', () => {
  test('are each person’s first before anybody’s second, up to the limit', () => {
    const gallery = galleryOf([3, 1, 2])
    expect([...probesOf(gallery, 100)]).toEqual([0, 3, 4, 1, 5, 2])
    expect([...probesOf(gallery, 4)]).toEqual([0, 3, 4, 1])
    expect([...probesOf(galleryOf([]), 4)]).toEqual([])
  })
})

describe('parts', () => {
  const NOW = Date.UTC(2026, 10, 21)
  const person = (fields: Partial<SlicedPerson> = {}): SlicedPerson => ({
    gender: gender.unknown,
    kind: 'staff',
    groupId: 'g',
    groupName: 'G',
    birthday: null,
    ...fields,
  })

  test.each([
    [null, ''],
    ['2008-11-22', '0-17'],
    ['2008-11-21', '18-29'],
    ['1996-11-22', '18-29'],
    ['1996-11-21', '30-44'],
    ['1981-11-21', '45-59'],
    ['1966-11-22', '45-59'],
    ['1966-11-21', '60+'],
  ])('a birthday of %s is of the band %s', (birthday, band) => {
    expect(ageBand(birthday, NOW)).toBe(band)
  })

  test('parts of fewer than five persons are left out, everybody never', () => {
    const persons = [
      ...Array.from({ length: PERSONS_PER_SLICE }, () => person({ groupId: 'b', groupName: 'Beta', gender: gender.female })),
      ...Array.from({ length: PERSONS_PER_SLICE - 1 }, () => person({ groupId: 'a', groupName: 'Alpha' })),
    ]
    expect(slicesOf(persons, NOW)).toEqual([
      { dimension: 'all', value: '', name: '', persons: Uint32Array.from(persons.keys()) },
      { dimension: 'group', value: 'b', name: 'Beta', persons: Uint32Array.of(0, 1, 2, 3, 4) },
      { dimension: 'gender', value: '2', name: '', persons: Uint32Array.of(0, 1, 2, 3, 4) },
      { dimension: 'age', value: '', name: '', persons: Uint32Array.from(persons.keys()) },
      { dimension: 'kind', value: 'staff', name: '', persons: Uint32Array.from(persons.keys()) },
    ])
    expect(slicesOf([person()], NOW)).toHaveLength(1)
    expect(slicesOf([], NOW)).toEqual([])
  })
})

describe('closest', () => {
  test('keeps the nearest of all offered within reach, each two persons once, whatever the order', () => {
    const offer = fc.record({
      one: fc.integer({ min: 0, max: 6 }),
      other: fc.integer({ min: 7, max: 12 }),
      turned: fc.boolean(),
      distance: fc.integer({ min: 0, max: 50 }),
    })
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 60 }), (offers) => {
        const closest = createClosestPairs(5, 40)
        const best = new Map<string, number>()
        for (const { one, other, turned, distance } of offers) {
          const sides = [one, other].map((person) => ({ personId: `p${person}`, faceId: `f${person}` }))
          closest.offer(sides[turned ? 1 : 0]!, sides[turned ? 0 : 1]!, distance)
          const key = sides
            .map(({ personId }) => personId)
            .toSorted()
            .join(' ')
          best.set(key, Math.min(best.get(key) ?? Infinity, distance))
        }
        const expected = [...best.values()]
          .filter((distance) => distance <= 40)
          .toSorted((a, b) => a - b)
          .slice(0, 5)
        expect(closest.list().map(({ distance }) => distance)).toEqual(expected)
        for (const { first, second, distance } of closest.list()) expect(best.get(`${first.personId} ${second.personId}`)).toBe(distance)
      }),
    )
  })
})
