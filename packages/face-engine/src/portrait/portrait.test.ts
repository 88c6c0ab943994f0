/** @module-tag extended */
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { AcceptedFace } from '../quality.ts'
import { acceptedFace } from '../quality.ts'
import { distanceOfScore, recommendedScore } from '../calibration.ts'
import { distanceOf } from '../match.ts'
import { FacePool } from '../pool.ts'
import { DISTINCT_PORTRAITS, portrait, portraitGender, portraitVariant } from './portrait.ts'

const pool = new FacePool()
afterAll(() => pool.close())

const faceOf = async (seed: number, variant: number) => {
  const analysis = await pool.analyse(await portraitVariant(seed, variant))
  expect(analysis.faces.length, `faces in portrait ${seed}, photograph ${variant}`).toBe(1)
  return acceptedFace(analysis)
}

test('a seed always draws the same picture, another seed another one', async () => {
  const [first, again, other] = await Promise.all([portrait(5), portrait(5), portrait(6)])
  expect(first.equals(again)).toBe(true)
  expect(first.equals(other)).toBe(false)
  expect(await sharp(first).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 500 })
})

test("the gender is the seed's unless one is asked for", async () => {
  const drawn = portraitGender(5)
  const other = drawn === 'male' ? 'female' : 'male'
  expect((await portrait(5, { gender: drawn })).equals(await portrait(5))).toBe(true)
  expect((await portrait(5, { gender: other })).equals(await portrait(5))).toBe(false)
})

test('every portrait shows exactly one face that is good enough, whatever the gender', async () => {
  const photographs = Array.from({ length: 16 }, (_, seed) => portrait(seed + 1000, { gender: seed % 2 === 0 ? 'female' : 'male' }))
  for (const analysis of await Promise.all(photographs.map(async (photo) => pool.analyse(await photo)))) {
    expect(analysis.faces.length).toBe(1)
    expect(acceptedFace(analysis).embedding.length).toBe(pool.dimensions)
  }
})

test('photographs of one distinct person match at a door, those of two do not', async () => {
  const shots = DISTINCT_PORTRAITS.flatMap((seed) => [0, 1, 2].map((variant) => ({ seed, variant })))
  const faces = await Promise.all(shots.map(async ({ seed, variant }) => ({ seed, face: await faceOf(seed, variant) })))
  const pairs = faces.flatMap((a, i) => faces.slice(0, i).map((b) => ({ same: a.seed === b.seed, distance: distanceOf(a.face, b.face) })))
  const distances = (same: boolean) => pairs.filter((pair) => pair.same === same).map(({ distance }) => distance)
  expect(Math.max(...distances(true))).toBeLessThan(0.25)
  expect(Math.min(...distances(false))).toBeGreaterThan(
    distanceOfScore(pool.description.calibration, recommendedScore(pool.description.calibration, 'door')),
  )
})

test('among many drawn people the right one still comes nearest', async () => {
  const seeds = Array.from({ length: 16 }, (_, i) => i + 1)
  const taken = (variant: number): Promise<AcceptedFace[]> => Promise.all(seeds.map((seed) => faceOf(seed, variant)))
  const [enrolled, probes] = await Promise.all([taken(0), taken(1)])
  for (const [i, probe] of probes.entries()) {
    const distances = enrolled.map((face) => distanceOf(face, probe))
    expect(distances.indexOf(Math.min(...distances)), `seed ${seeds[i]}`).toBe(i)
  }
})
