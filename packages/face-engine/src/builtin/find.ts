/**
 * Where the faces of a photograph are. One look at the whole photograph finds almost all; further looks are taken only where
 * the first leaves a doubt, so an ordinary photograph costs one.
 */
import type { AnalyseOptions, Point } from '../face.ts'
import { cutOut, fromCutOut, squareAround } from '../photo.ts'
import type { Pixels, Region } from '../photo.ts'
import { VIEW_SIDE } from './detector.ts'
import type { Detector, Sighting } from './detector.ts'
import { noseOffset, sharpnessOf, squareChip } from './measure.ts'

/** A sighting in pixels of the photograph. */
export type Find = Sighting

const FIND = {
  /** A face: by the detector's score and the mesh model's. A cat's face gets 0.8 of the one and 0 of the other. */
  score: 0.5,
  meshScore: 0.5,
  /**
   * A head in profile is unknown to the mesh model; the detector's score and a nose this far off tell it (a cat's nose: 0.27).
   * Only one that fills this share of the photograph: small ones are as often something else.
   */
  profileScore: 0.75,
  profileNose: 0.6,
  profileSide: 0.3,
  /** A sighting smaller than this in the view is looked at again from nearby: its mesh points are too coarse. */
  coarseSide: 160,
  /** Seen from nearby, what was no face before must be plain: the nose of a rocket reaches 0.69. */
  nearScore: 0.75,
  /** Looks from nearby at most, for a crowd. */
  nearLooks: 12,
  /** Below this score of the best face the photograph may lie on its side or stand on its head. */
  doubtfulScore: 0.8,
  /** By how much another orientation must be better to be believed. */
  betterBy: 0.1,
  /** A face blurred beyond recognition still gets this score, in a place this blurred, if it fills this share of the photograph. */
  blurredScore: 0.4,
  blurredSharpness: 8,
  blurredSide: 0.3,
} as const

type Look = (region: Region) => Promise<Find[]>

/** @returns faces and heads in profile, or else one face blurred beyond recognition; `isFace` tells which can be embedded */
export async function findFaces(detector: Detector, pixels: Pixels, search: AnalyseOptions['search']): Promise<Find[]> {
  const look: Look = async (region) => {
    const sightings = await detector.search(await cutOut(pixels, region, VIEW_SIDE))
    return sightings.map((sighting) => inPhotograph(sighting, region))
  }
  /** The square around the photograph, `zoom` times as large. */
  const whole = (zoom = 1, turns: Region['turns'] = 0) =>
    squareAround({ x: pixels.width / 2, y: pixels.height / 2 }, Math.max(pixels.width, pixels.height) * zoom, turns)

  const isHead = (find: Find) => isFace(find) || (isProfile(find) && find.side >= FIND.profileSide * whole().side)

  const first = await look(whole())
  if (search === 'quick') return first.filter(isFace)
  const upright = (await refined(first, look, whole().side)).filter(isHead)
  if (bestScore(upright) >= FIND.doubtfulScore) return upright

  // One after the other: the engine does one thing at a time.
  const turned: Find[][] = []
  for (const turns of [2, 1, 3] as const) turned.push((await look(whole(1, turns))).filter(isFace))
  const better = turned.sort((a, b) => bestScore(b) - bestScore(a))[0]!
  if (bestScore(better) > Math.max(FIND.nearScore, bestScore(upright) + FIND.betterBy)) return better
  if (upright.length > 0) return upright

  // A face that fills the photograph, or is badly blurred, is found by stepping back.
  const back = [...(await look(whole(1.5))), ...(await look(whole(3)))]
  const heads = back.filter(isHead)
  if (heads.length > 0) return [strongest(heads)]
  const blurred = [...first, ...back].filter(
    (find) =>
      find.score >= FIND.blurredScore &&
      find.side >= FIND.blurredSide * whole().side &&
      sharpnessOf(squareChip(pixels, find)) < FIND.blurredSharpness,
  )
  return blurred.length > 0 ? [strongest(blurred)] : []
}

/**
 * Replaces sightings too small to be measured by what a look from nearby shows. Without any face, weak ones get their chance too;
 * beside a face twice as large they are bystanders and stay as they are.
 */
async function refined(finds: Find[], look: Look, photoSide: number): Promise<Find[]> {
  const faces = finds.filter(isFace)
  const largest = Math.max(0, ...faces.map(({ side }) => side))
  const worthALook = (find: Find) => faces.length === 0 || (isFace(find) && find.side > largest / 2)
  const coarse = (find: Find) => (find.side / photoSide) * VIEW_SIDE < FIND.coarseSide && worthALook(find)
  const result = finds.filter((find) => !coarse(find))
  for (const find of finds.filter(coarse).slice(0, FIND.nearLooks)) {
    const isCertain = isFace(find)
    const isHere = ({ centre }: Find) => Math.hypot(centre.x - find.centre.x, centre.y - find.centre.y) < find.side / 3
    const seen = (await look(squareAround(find.centre, find.side * 2))).filter((near) => isFace(near) && isHere(near))
    const believed = isCertain ? seen : seen.filter(({ score }) => score >= FIND.nearScore)
    if (believed.length > 0) result.push(strongest(believed))
    else if (isCertain) result.push(find)
  }
  return result
}

/** Confirmed by the mesh model: its landmarks can be relied upon. */
export const isFace = (find: Find): boolean => find.mesh !== null && find.score >= FIND.score && find.meshScore >= FIND.meshScore
/** A head turned so far that its nose stands outside an eye. */
const isProfile = (find: Find): boolean =>
  find.keypoints !== null && find.score >= FIND.profileScore && Math.abs(noseOffset(find.keypoints)) >= FIND.profileNose
const strongest = (finds: Find[]) => finds.reduce((best, find) => (find.score > best.score ? find : best))
const bestScore = (finds: Find[]) => Math.max(0, ...finds.map(({ score }) => score))

function inPhotograph(sighting: Sighting, region: Region): Find {
  const scale = region.side / VIEW_SIDE
  const place = (point: Point) => fromCutOut(point, region, VIEW_SIDE)
  return {
    ...sighting,
    side: sighting.side * scale,
    centre: place(sighting.centre),
    keypoints: sighting.keypoints?.map(place) ?? null,
    mesh: sighting.mesh?.map((point) => ({ ...place(point), z: point.z * scale })) ?? null,
  }
}
