/**
 * Passers-by at a camera: the faces of its stream, followed, each captured once. A capture is made a moment after the first picture that is
 * good enough, or when the face has left; somebody who was lost and comes back within seconds is the same passer-by.
 */
import { FacePoolBusy, type FacePool } from '@gatehouse/face-engine'
import { qualityOf } from './best-shot.ts'
import type { Capture } from './capture.ts'
import { createFollower, type Track } from './following.ts'
import { isWatched, type CaptureSettings } from './settings.ts'
import { describeShot, type DescribedShot, type Shot } from './shots.ts'

/** A picture of the stream. */
export interface Frame {
  picture: Uint8Array
  /** Milliseconds of a clock that never jumps. */
  takenAt: number
}

export interface PassersBy {
  /** Take the next picture that is searched. @returns the number of faces that count @throws FacePoolBusy, PhotoRefusal */
  look(frame: Frame): Promise<number>
  /** Capture whoever is still in view and was not captured yet: the stream has ended. */
  end(): Promise<void>
  /** Number of faces that are followed at present. */
  inView(): number
}

export interface PassersByParts {
  pool: Pick<FacePool, 'analyse'>
  settings: () => CaptureSettings
  /** Whether two templates are as near as those of one face. */
  isSameFace: (one: Float32Array, other: Float32Array) => boolean
  /** Return epoch milliseconds of a time of the pictures. */
  epochOf: (takenAt: number) => number
  /** Templates of whoever was captured just before the start, and may still be in view. */
  capturedBefore?: readonly Float32Array[]
  /** Store a capture. @throws when it cannot be written */
  take: (capture: Capture) => void
}

/** Milliseconds from the first good picture to the capture: the face may come nearer. */
const HOLD = 400
/** Milliseconds without being in view after which somebody is another passer-by. */
const RETURN = 5_000
/** Pictures a face must be found in: what is taken for a face once, by mistake, is none. */
const SIGHTINGS = 2
/** Captures made between two searches, so that nobody is lost meanwhile. */
const AT_ONCE = 2
/** Faces that left and could not be captured yet, at most: the disk may be full for long. */
const LEAVING = 50

/** Somebody who was captured. */
interface PasserBy {
  enteredAt: number
  seenAt: number
  embedding: Float32Array
}

/** A track with what is captured of it. */
interface Passing {
  track: Track
  /** Null while there is no picture that is good enough. */
  best: Shot | null
  /** When the first good picture was taken. */
  goodSince: number
  passerBy: PasserBy | null
}

export function createPassersBy({ pool, settings, isSameFace, epochOf, capturedBefore = [], take }: PassersByParts): PassersBy {
  const follower = createFollower<{ box: Shot['box']; shot: Shot | null }>()
  const passings = new Map<Track, Passing>()
  /** Tracks that left without a capture, and may still get one. */
  let leaving: Passing[] = []
  /** Null before the first picture: who was captured before counts as having left at that moment. */
  let recent: PasserBy[] | null = null

  async function look({ picture, takenAt }: Frame): Promise<number> {
    const { faces, ...size } = await pool.analyse(picture, { embed: 'none', search: 'quick' })
    const inForce = settings()
    const sightings = faces
      .filter(({ box }) => isWatched(box, size, inForce))
      .map((face) => {
        const { box } = face
        const quality = qualityOf(face, size)
        const isGood = Math.min(box.width, box.height) >= inForce.leastFaceSize && quality >= inForce.leastQuality
        return { box, shot: isGood ? { picture, size: { width: size.width, height: size.height }, box, quality, takenAt } : null }
      })
    const { found, left } = follower.see(sightings, takenAt)
    for (const { track, sighting } of found) note(track, sighting.shot)
    left.forEach(leave)
    recent = (recent ?? capturedBefore.map((embedding) => ({ enteredAt: takenAt - 1, seenAt: takenAt - 1, embedding }))).filter(
      ({ seenAt }) => takenAt - seenAt <= 2 * RETURN,
    )
    await captureDue(takenAt)
    return sightings.length
  }

  function note(track: Track, shot: Shot | null): void {
    const passing = passings.get(track) ?? { track, best: null, goodSince: 0, passerBy: null }
    passings.set(track, passing)
    if (passing.passerBy !== null) passing.passerBy.seenAt = track.seenAt
    else if (shot !== null) {
      if (passing.best === null) passing.goodSince = shot.takenAt
      if (passing.best === null || shot.quality > passing.best.quality) passing.best = shot
    }
  }

  function leave(track: Track): void {
    const passing = passings.get(track)
    passings.delete(track)
    if (passing && isCapturable(passing)) leaving = [...leaving, passing].slice(-LEAVING)
  }

  const isCapturable = ({ track, best, passerBy }: Passing) => best !== null && passerBy === null && track.sightings >= SIGHTINGS

  async function captureDue(now: number): Promise<void> {
    const due = [...passings.values()].filter((passing) => isCapturable(passing) && now - passing.goodSince >= HOLD)
    for (const passing of [...leaving, ...due].slice(0, AT_ONCE)) await captureInTurn(passing)
  }

  /** Capture somebody; who could not be captured stays in the row. */
  async function captureInTurn(passing: Passing): Promise<void> {
    await capture(passing)
    leaving = leaving.filter((other) => other !== passing)
  }

  async function capture(passing: Passing): Promise<void> {
    const shot = passing.best!
    const described = await describeShot(pool, shot).catch((error: unknown) => {
      if (error instanceof FacePoolBusy) throw error
      // What cannot be looked at must not hold up those behind it for ever.
      return null
    })
    if (described === null) {
      // What was taken for a face is none; a later picture may show one.
      passing.best = null
      return
    }
    const { track } = passing
    const returned = recent!.find((passerBy) => hasReturned(passerBy, track) && isSameFace(passerBy.embedding, described.embedding))
    if (returned === undefined) take(captureOf(passing, described))
    const passerBy = returned ?? { enteredAt: track.enteredAt, seenAt: track.seenAt, embedding: described.embedding }
    if (returned === undefined) recent!.push(passerBy)
    passerBy.enteredAt = Math.min(passerBy.enteredAt, track.enteredAt)
    passerBy.seenAt = Math.max(passerBy.seenAt, track.seenAt)
    passing.passerBy = passerBy
    passing.best = null
  }

  const captureOf = ({ track, best }: Passing, { embedding, picture }: DescribedShot): Capture => ({
    enteredAt: epochOf(track.enteredAt),
    capturedAt: epochOf(best!.takenAt),
    leftAt: epochOf(track.seenAt),
    quality: best!.quality,
    faceWidth: Math.max(1, Math.round(best!.box.width)),
    embedding,
    picture,
  })

  return {
    look,
    inView: () => passings.size,
    async end() {
      follower.end().forEach(leave)
      for (const passing of leaving) await captureInTurn(passing)
    },
  }
}

/** Whether a track may be a captured passer-by again: two faces in view at once are two people, however alike. */
const hasReturned = (passerBy: PasserBy, track: Track): boolean => {
  const apart = Math.max(track.enteredAt - passerBy.seenAt, passerBy.enteredAt - track.seenAt)
  return apart > 0 && apart <= RETURN
}
