import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Calibration } from '../calibration.ts'
import { asOfOne, joins, meanOf } from '../means.ts'
import { distanceOf } from '../match.ts'
import type { GalleryEntry, GalleryMatch, GallerySearch } from './entry.ts'
import { FaceGallery } from './gallery.ts'
import { MODEL } from './testing/galleries.ts'

const DIMENSIONS = 6
const point = (distance: number, falseMatchRate: number) => ({ distance, falseMatchRate, falseNonMatchRate: null })
/** The mean of two is nearer to strangers than one of them is, that of three nearer still; of four nothing is known. */
const CALIBRATION: Calibration = {
  curve: [point(0.6, 1e-4), point(0.8, 1e-3), point(1.1, 1e-1)],
  means: [
    [point(0.5, 1e-4), point(0.72, 1e-3), point(1, 1e-1)],
    [point(0.45, 1e-4), point(0.7, 1e-3), point(0.95, 1e-1)],
  ],
  unlike: 1.6,
  recommended: { door: 1e-3, watchList: 1e-3, search: 1e-2 },
  measured: false,
  source: 'made up',
}

const unit = (numbers: readonly number[]): Float32Array => {
  const length = Math.hypot(...numbers) || 1
  return Float32Array.from(numbers, (number) => number / length)
}
const embedding = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((numbers) => Math.hypot(...numbers) > 0.1)
  .map(unit)
const entryOf = (personId: string, photoId: string, numbers: Float32Array, alone = false): GalleryEntry => ({
  personId,
  photoId,
  modelId: MODEL,
  embedding: numbers,
  alone,
})
const gallery = () => new FaceGallery({ modelId: MODEL, dimensions: DIMENSIONS, calibration: CALIBRATION })
const distance = (a: Float32Array, b: Float32Array) => distanceOf({ modelId: MODEL, embedding: a }, { modelId: MODEL, embedding: b })

/** The templates a person comes to, each with how far it is from a probe as a single photograph would be. */
function templatesOf(entries: readonly GalleryEntry[], probe: Float32Array): number[] {
  const own = entries.filter(({ alone }) => alone !== true).map((entry) => entry.embedding)
  const single = (numbers: Float32Array) => distance(numbers, probe)
  const others = entries.filter(({ alone }) => alone === true).map((entry) => single(entry.embedding))
  if (own.length === 0 || !joins(CALIBRATION, own.length)) return [...own.map(single), ...others]
  return [asOfOne(CALIBRATION, distance(meanOf(own), probe), own.length), ...others]
}

function byTryingEverything(entries: readonly GalleryEntry[], probe: Float32Array, { limit = 5, within = Infinity }: GallerySearch) {
  return [...Map.groupBy(entries, ({ personId }) => personId)]
    .map(([personId, own]) => ({ personId, distance: Math.min(...templatesOf(own, probe)) }))
    .filter((match) => match.distance <= within)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
}

describe('several photographs of a person', () => {
  test('are compared as their mean wherever the model knows it, after any adding, replacing and removing', () => {
    const change = fc.record({
      kind: fc.constantFrom('add', 'add', 'add', 'remove'),
      person: fc.nat(5),
      photo: fc.nat(4),
      whole: fc.boolean(),
      numbers: embedding,
    })
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 80 }),
        embedding,
        fc.record({
          limit: fc.integer({ min: 1, max: 6 }),
          within: fc.oneof(fc.constant(Infinity), fc.double({ min: 0.2, max: 1.5, noNaN: true })),
        }),
        (changes, probe, options) => {
          const faces = gallery()
          const kept = new Map<string, GalleryEntry>()
          for (const { kind, person, photo, whole, numbers } of changes) {
            // The last photograph of each stands for one of somebody else.
            const one = entryOf(`p${person}`, `f${photo}`, numbers, photo === 4)
            if (kind === 'add') {
              faces.add('park', one)
              kept.delete(`${one.personId}/${one.photoId}`)
              kept.set(`${one.personId}/${one.photoId}`, one)
              continue
            }
            const gone = [...kept].filter(([, { personId, photoId }]) => personId === one.personId && (whole || photoId === one.photoId))
            expect(faces.remove('park', one.personId, whole ? undefined : one.photoId)).toBe(gone.length)
            for (const [key] of gone) kept.delete(key)
          }
          const entries = [...kept.values()]
          const byPerson = [...Map.groupBy(entries, ({ personId }) => personId).values()]
          expect(faces.size('park')).toBe(byPerson.reduce((sum, own) => sum + templatesOf(own, probe).length, 0))
          const found = faces.search('park', { modelId: MODEL, embedding: probe }, options)
          const expected = byTryingEverything(entries, probe, options)
          expect(found.map((match) => match.distance)).toEqual(expected.map((match) => expect.closeTo(match.distance, 5) as number))
          for (const match of found) expect(kept.has(`${match.personId}/${match.photoId}`)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  const [front, side, other] = [unit([1, 0.2, 0, 0, 0, 0]), unit([0.2, 1, 0, 0, 0, 0]), unit([0, 0, 1, 0, 0, 0])]
  const search = (faces: FaceGallery, probe: Float32Array): GalleryMatch[] => faces.search('park', { modelId: MODEL, embedding: probe })

  test('name the photograph that comes nearest, at the distance of a single one that is as rarely mistaken', () => {
    const faces = gallery()
    for (const [photoId, numbers] of [['front', front] as const, ['side', side] as const])
      faces.add('park', entryOf('ann', photoId, numbers))
    faces.add('park', entryOf('bob', 'only', other))
    const [nearest, next] = search(faces, side)
    expect(nearest).toEqual({ personId: 'ann', photoId: 'side', distance: asOfOne(CALIBRATION, distance(meanOf([front, side]), side), 2) })
    expect(next?.personId).toBe('bob')
    expect(faces.size('park')).toBe(2)
  })

  test('without means of the model, and where there are more than it knows, each is compared by itself', () => {
    const plain = new FaceGallery({ modelId: MODEL, dimensions: DIMENSIONS, calibration: { ...CALIBRATION, means: undefined } })
    const many = gallery()
    for (const faces of [plain, many])
      for (const [at, numbers] of [front, side, other, unit([0, 0, 0, 1, 0, 0])].entries())
        faces.add('park', entryOf('ann', `f${at}`, numbers))
    for (const faces of [plain, many]) {
      expect(faces.size('park')).toBe(4)
      expect(search(faces, side)).toEqual([{ personId: 'ann', photoId: 'f1', distance: 0 }])
    }
  })

  test('leave the rows of others as they were when a person goes', () => {
    const faces = gallery()
    faces.add('park', entryOf('ann', 'front', front))
    faces.add('park', entryOf('ann', 'side', side))
    faces.add('park', entryOf('ann', 'contact', other, true))
    expect(faces.size('park')).toBe(2)
    expect(faces.remove('park', 'ann', 'side')).toBe(1)
    expect(search(faces, front)).toEqual([{ personId: 'ann', photoId: 'front', distance: 0 }])
    expect(faces.remove('park', 'ann')).toBe(2)
    expect(search(faces, front)).toEqual([])
    expect(faces.size()).toBe(0)
  })
})
