/**
 * Where the faces of a photograph are. One look at the whole photograph finds almost all; further looks are taken only where
 * the first leaves a doubt, so an ordinary photograph costs one.
 */
import type { AnalyseOptions, Point } from '../face.ts'
import { fivePoints } from '../five-points.ts'
import { cutOut, fromCutOut, squareAround } from '../photo.ts'
import type { Pixels, Region } from '../photo.ts'
import { anglesOf } from './measure.ts'
import type { Sighting, YuNet } from './yunet.ts'

/** A sighting in pixels of the photograph. */
export type Find = Sighting

const FIND = {
  /** A face. Ordinary ones get 0.919 and more; cups, engines and a cat at most 0.6. */
  score: 0.7,
  /**
   * Below this score something is odd: blurred, dark, covered, on its side or on its head, where a face passes for one
   * with up to 0.918.
   */
  doubtfulScore: 0.918,
  /** Side of the square in which a doubtful face is turned round, in widths of the face. */
  comparedSide: 3,
  /** What another orientation must reach to be believed, and by how much it must be better. */
  otherWayUp: 0.9,
  betterBy: 0.015,
  /** A face narrower than this share of the view is looked at again from nearby: its points are too coarse. */
  coarse: 0.1,
  /** Looks from nearby at most, for a crowd. */
  nearLooks: 12,
  /** Seen from nearby, what was no face before must be plain. */
  nearScore: 0.8,
  /** Degrees from which a head is looked at again, since one look's points scatter most there: three looks tell how far it is turned. */
  turned: 25,
  /** Sides of the squares such looks take in, in widths of the face: there the detector is at its best. */
  nearSides: [4, 5.3],
  /** Looks at a photograph in which nothing was found: a face that fills it, or is badly blurred, is seen by stepping back. */
  stepsBack: [2, 3],
  /** What is found by stepping back fills at least this share of the photograph. */
  backSide: 0.3,
} as const

type Look = (region: Region) => Promise<Find[]>

/** @returns what can be taken for faces, all of which can be embedded */
export async function findFaces(detector: YuNet, pixels: Pixels, search: AnalyseOptions['search']): Promise<Find[]> {
  const look: Look = async (region) => {
    const sightings = await detector.search(await cutOut(pixels, region, detector.side))
    return sightings.map((sighting) => inPhotograph(sighting, region, detector.side))
  }
  const side = Math.max(pixels.width, pixels.height)
  /** The square around the photograph, so many times as large. */
  const whole = (times = 1, turns: Region['turns'] = 0) => squareAround({ x: pixels.width / 2, y: pixels.height / 2 }, side * times, turns)

  const first = await look(whole())
  if (search === 'quick') return first.filter(isFace)
  const upright = await refined(first, look, side, isTurned)
  if (bestScore(upright) >= FIND.doubtfulScore) return upright

  // A face that fills the photograph is compared from farther away, where the ways up differ most.
  const zoom = Math.max(1, (largestOf(upright) * FIND.comparedSide) / side)
  const asItIs = zoom > 1 ? (await look(whole(zoom))).filter(isFace) : upright
  // One after the other: the engine does one thing at a time.
  const turned: Find[][] = []
  for (const turns of [2, 1, 3] as const) turned.push((await look(whole(zoom, turns))).filter(isFace))
  const better = turned.sort((a, b) => bestScore(b) - bestScore(a))[0]!
  if (bestScore(better) > Math.max(FIND.otherWayUp, bestScore(asItIs) + FIND.betterBy)) return better
  if (upright.length > 0) return await refined(upright, look, side, (find) => !isTurned(find))

  for (const step of FIND.stepsBack) {
    const back = (await look(whole(step))).filter((find) => isFace(find) && find.box.height >= FIND.backSide * side)
    if (back.length > 0) return [back[0]!]
  }
  return []
}

/** Looks again at faces that are small or `odd`; without any face, weak sightings get their chance too. */
async function refined(finds: Find[], look: Look, photoSide: number, isOdd: (find: Find) => boolean): Promise<Find[]> {
  const faces = finds.filter(isFace)
  const largest = largestOf(faces)
  const isSmall = (find: Find) => find.box.width < FIND.coarse * photoSide
  // Beside a face twice as large they are bystanders and stay as they are.
  const again = faces.length > 0 ? faces.filter((find) => (isSmall(find) || isOdd(find)) && find.box.width > largest / 2) : finds
  const odd = again.slice(0, FIND.nearLooks)
  const result = faces.filter((find) => !odd.includes(find))
  for (const find of odd) {
    const isCertain = isFace(find)
    const seen: Find[] = isCertain && !isSmall(find) ? [find] : []
    for (const widths of FIND.nearSides) {
      const near = (await look(squareAround(centreOf(find), find.box.width * widths))).find((other) => isSame(find, other))
      if (near && near.score >= (isCertain ? FIND.score : FIND.nearScore)) seen.push(near)
    }
    if (seen.length > 0) result.push(together(seen))
    else if (isCertain) result.push(find)
  }
  return result
}

/** Several looks at one face, on the average. */
function together(finds: readonly Find[]): Find {
  const mean = (value: (find: Find) => number) => finds.reduce((sum, find) => sum + value(find), 0) / finds.length
  return {
    score: mean(({ score }) => score),
    box: {
      x: mean(({ box }) => box.x),
      y: mean(({ box }) => box.y),
      width: mean(({ box }) => box.width),
      height: mean(({ box }) => box.height),
    },
    points: fivePoints(finds[0]!.points, (_, i) => ({
      x: mean(({ points }) => points[i]!.x),
      y: mean(({ points }) => points[i]!.y),
    })),
  }
}

const isTurned = ({ points }: Find): boolean => Math.abs(anglesOf(points).yaw) > FIND.turned
const isFace = ({ score }: Find): boolean => score >= FIND.score
const bestScore = (finds: readonly Find[]) => Math.max(0, ...finds.map(({ score }) => score))
const largestOf = (finds: readonly Find[]) => Math.max(0, ...finds.map(({ box }) => box.width))
const centreOf = ({ box }: Find): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })

/** Another look at the same face: about as large, in about the same place. */
function isSame(find: Find, other: Find): boolean {
  const [a, b] = [centreOf(find), centreOf(other)]
  const larger = Math.max(find.box.width, other.box.width) / Math.min(find.box.width, other.box.width)
  return larger < 2 && Math.hypot(a.x - b.x, a.y - b.y) < find.box.width / 2
}

function inPhotograph({ score, box, points }: Sighting, region: Region, viewSide: number): Find {
  const place = (point: Point) => fromCutOut(point, region, viewSide)
  const [a, b] = [place(box), place({ x: box.x + box.width, y: box.y + box.height })]
  return {
    score,
    // Opposite corners change places where the view was turned.
    box: { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(b.x - a.x), height: Math.abs(b.y - a.y) },
    points: fivePoints(points, place),
  }
}
