/**
 * Either engine, whole, on real photographs: what is refused and why, and how well people are told apart.
 * @module-tag extended
 */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distanceOfScore, recommendedScore } from './calibration.ts'
import { engineOf } from './engine-choice.ts'
import { hasTestingModels, testingModelDir } from './onnx/testing/set.ts'
import { FacePool } from './pool.ts'
import { acceptedFace } from './quality.ts'
import type { AcceptedFace } from './quality.ts'
import { PhotoRefusal } from './refusal.ts'
import { FaceGallery } from './search/gallery.ts'
import { photographs } from './testing/photographs.ts'

/** Of each person, so many photographs; all of them before a release (`TEST_DEPTH=soak`). Every person is among them either way. */
const OF_EACH = process.env.TEST_DEPTH === 'soak' ? Infinity : 3
const good = [...Map.groupBy(photographs?.good ?? [], ({ identity }) => identity).values()].flatMap((ofOne) => ofOne.slice(0, OF_EACH))

const ENGINES = [
  { engine: 'built in', available: true, rank1: 0.95, opened: 0.75 },
  { engine: 'ONNX', available: hasTestingModels, rank1: 0.98, opened: 0.85 },
]

for (const { engine, available, rank1: leastRank1, opened: leastOpened } of ENGINES) {
  describe.skipIf(!photographs || !available)(`engine: ${engine}`, () => {
    let folder: string | null = null
    let pool: FacePool
    let doorDistance: number
    beforeAll(async () => {
      if (engine === 'ONNX') folder = testingModelDir()
      pool = new FacePool({ engine: await engineOf(folder), workers: 2, queue: 1000 })
      const { calibration } = pool.description
      doorDistance = distanceOfScore(calibration, recommendedScore(calibration, 'door'))
    })
    afterAll(async () => {
      await pool.close()
      if (folder) rmSync(folder, { recursive: true })
    })

    const judged = async (file: string): Promise<AcceptedFace | PhotoRefusal> => {
      try {
        return acceptedFace(await pool.analyse(photographs!.read(file)))
      } catch (error) {
        if (error instanceof PhotoRefusal) return error
        throw error
      }
    }
    const codeOf = (outcome: AcceptedFace | PhotoRefusal) => (outcome instanceof PhotoRefusal ? outcome.code : 0)

    describe('odd photographs get the code a person would give', () => {
      /** Where several answers are right. */
      const SEVERAL_RIGHT: Record<string, readonly number[]> = {
        'odd/blur_gauss3.jpg': [0, 201222],
        'odd/upside_down.jpg': [0, 200204, 200201, 200219, 201220],
        'odd/corrupt_scrambled.jpg': [200205, 200204, 200201, 200219, 201222],
      }
      for (const { file, expected_code: expected } of photographs?.odd ?? []) {
        test(`${file} → ${expected ?? 'one of several'}`, async () => {
          expect(expected === null ? SEVERAL_RIGHT[file] : [expected]).toContain(codeOf(await judged(file)))
        })
      }
    })

    describe('good photographs', () => {
      let accepted: { identity: string; file: string; face: AcceptedFace }[] = []
      let refused: { file: string; refusal: PhotoRefusal }[] = []

      beforeAll(async () => {
        const outcomes = await Promise.all(good.map(async ({ identity, file }) => ({ identity, file, outcome: await judged(file) })))
        accepted = outcomes.flatMap(({ identity, file, outcome }) =>
          outcome instanceof PhotoRefusal ? [] : [{ identity, file, face: outcome }],
        )
        refused = outcomes.flatMap(({ file, outcome }) => (outcome instanceof PhotoRefusal ? [{ file, refusal: outcome }] : []))
      }, 300_000)

      test('are accepted, all but one in a hundred', () => {
        const reasons = refused.map(({ file, refusal }) => `; ${file}: ${refusal.code} ${JSON.stringify(refusal.measured)}`)
        process.stdout.write(`${engine}: ${refused.length} of ${good.length} good photographs refused${reasons.join('')}\n`)
        expect(refused.length).toBeLessThanOrEqual(good.length * 0.01)
      })

      test('are recognised from one enrolled photograph of each person', () => {
        const gallery = new FaceGallery(pool)
        const enrolled = new Set<string>()
        const probes = accepted.filter(({ identity, file, face }) => {
          if (enrolled.has(identity)) return true
          enrolled.add(identity)
          gallery.add('park', { personId: identity, photoId: file, ...face })
          return false
        })
        const nearest = probes.map(({ identity, face }) => ({ identity, match: gallery.search('park', face, { limit: 1 })[0]! }))
        const right = nearest.filter(({ identity, match }) => match.personId === identity)
        const opened = nearest.filter(({ match }) => match.distance <= doorDistance)
        const openedWrongly = opened.filter(({ identity, match }) => match.personId !== identity)
        const rank1 = right.length / probes.length
        process.stdout.write(
          `${engine}: ${gallery.size()} people, ${probes.length} probes: rank-1 ${(100 * rank1).toFixed(1)} %; ` +
            `at distance ${doorDistance.toFixed(3)} the door opens for ${opened.length}, ${openedWrongly.length} of ` +
            'them as somebody else\n',
        )
        expect(gallery.size()).toBe(55)
        expect(rank1).toBeGreaterThanOrEqual(leastRank1)
        expect(opened.length / probes.length).toBeGreaterThanOrEqual(leastOpened)
        expect(openedWrongly.length / probes.length).toBeLessThanOrEqual(0.01)
      })

      test('come nearer to another than a door allows in less than one of 250 comparisons with all photographs of that one', () => {
        const gallery = new FaceGallery(pool)
        for (const { identity, file, face } of accepted) gallery.add('park', { personId: identity, photoId: file, ...face })
        const near = accepted.flatMap(({ identity, face }) =>
          gallery.search('park', face, { limit: 60, within: doorDistance }).filter(({ personId }) => personId !== identity),
        )
        expect(near.length / (accepted.length * 54)).toBeLessThan(1 / 250)
      })
    })
  })
}
