/**
 * Faces followed over the pictures of a camera: which face of a picture is the one of the pictures before. A track is continued by the face
 * that lies where it is expected, by the overlap of the boxes and the distance of their centres. Pure: the pictures bring their time.
 */
import type { Box, Point } from '@gatehouse/face-engine'
import { centreOf, overlapOf, sideOf } from './geometry.ts'

/** One face in view, from its first picture to its last. */
export interface Track {
  readonly id: number
  /** When it was found first and last, in milliseconds. */
  readonly enteredAt: number
  readonly seenAt: number
  /** Where it was found last. */
  readonly box: Box
  /** Number of pictures it was found in. */
  readonly sightings: number
}

export interface Followed<Sighting> {
  /** The track of each face of the picture. */
  found: { track: Track; sighting: Sighting }[]
  /** Tracks that ended, because they were not found for too long. */
  left: Track[]
}

export interface Follower<Sighting> {
  /** Take the faces of the next picture. @param at its time, later than that of the one before */
  see(sightings: readonly Sighting[], at: number): Followed<Sighting>
  /** End all tracks, as when the camera goes away. */
  end(): Track[]
}

/**
 * Milliseconds a track waits for its face, behind a pillar or somebody else; and for one that was found once, whose way is unknown: it
 * would take whoever comes next near there for the same.
 */
const PATIENCE = { moving: 1_000, first: 350 }
/** Farthest a centre may lie from where it is expected, in sides of the face; and of a face that was found once, whose way is unknown. */
const REACH = { moving: 1, first: 1.8 }
/** Times one face may be as large as the other to be the same. */
const LARGER = 1.9
/** Share of the newest movement in the speed of a track. */
const NEWEST = 0.5
/** Milliseconds for which a movement is expected to go on. */
const GOES_ON = 700

interface Motion {
  track: Track
  /** Pixels per millisecond. */
  speed: Point
  /** Growth of the side per millisecond, as a logarithm. */
  growth: number
}

export function createFollower<Sighting extends { box: Box }>(): Follower<Sighting> {
  let motions: Motion[] = []
  let number = 0

  function see(sightings: readonly Sighting[], at: number): Followed<Sighting> {
    const found: Followed<Sighting>['found'] = []
    const free = new Set(sightings)
    const waiting = new Set(motions)
    const pairs = motions.flatMap((motion) => {
      const expected = expectedBox(motion, at)
      return sightings.map((sighting) => ({ motion, sighting, nearness: nearnessOf(expected, sighting.box, reachOf(motion)) }))
    })
    for (const { motion, sighting, nearness } of pairs.toSorted((a, b) => b.nearness - a.nearness)) {
      if (nearness <= 0) break
      if (!waiting.has(motion) || !free.has(sighting)) continue
      waiting.delete(motion)
      free.delete(sighting)
      advance(motion, sighting.box, at)
      found.push({ track: motion.track, sighting })
    }
    const left = [...waiting].filter((motion) => at - motion.track.seenAt > patienceOf(motion)).map(({ track }) => track)
    motions = motions.filter(({ track }) => !left.includes(track))
    for (const sighting of free) {
      const track = { id: ++number, enteredAt: at, seenAt: at, box: sighting.box, sightings: 1 }
      motions.push({ track, speed: { x: 0, y: 0 }, growth: 0 })
      found.push({ track, sighting })
    }
    return { found, left }
  }

  return {
    see,
    end() {
      const left = motions.map(({ track }) => track)
      motions = []
      return left
    },
  }
}

/** Return where a face is expected: on its way, as far as that may be taken to go on. */
function expectedBox({ track, speed, growth }: Motion, at: number): Box {
  const elapsed = Math.min(at - track.seenAt, GOES_ON)
  const { x, y } = centreOf(track.box)
  const times = Math.exp(growth * elapsed)
  const [width, height] = [track.box.width * times, track.box.height * times]
  return { x: x + speed.x * elapsed - width / 2, y: y + speed.y * elapsed - height / 2, width, height }
}

const patienceOf = ({ track }: Motion): number => (track.sightings === 1 ? PATIENCE.first : PATIENCE.moving)

const reachOf = ({ track }: Motion): number => (track.sightings === 1 ? REACH.first : REACH.moving)

/** Return how well a face fits where one is expected; 0 or less: it is another one. */
function nearnessOf(expected: Box, box: Box, reach: number): number {
  const [one, other] = [sideOf(expected), sideOf(box)]
  if (Math.max(one, other) > LARGER * Math.min(one, other)) return 0
  const [a, b] = [centreOf(expected), centreOf(box)]
  const distance = Math.hypot(a.x - b.x, a.y - b.y) / ((one + other) / 2)
  return distance > reach ? 0 : overlapOf(expected, box) + 1 - distance / reach
}

function advance(motion: Motion, box: Box, at: number): void {
  const { track } = motion
  const elapsed = Math.max(1, at - track.seenAt)
  const [from, to] = [centreOf(track.box), centreOf(box)]
  const share = track.sightings === 1 ? 1 : NEWEST
  const mixed = (before: number, now: number) => before + share * (now - before)
  motion.speed = { x: mixed(motion.speed.x, (to.x - from.x) / elapsed), y: mixed(motion.speed.y, (to.y - from.y) / elapsed) }
  motion.growth = mixed(motion.growth, Math.log(sideOf(box) / sideOf(track.box)) / elapsed)
  Object.assign(track, { box, seenAt: at, sightings: track.sightings + 1 })
}
