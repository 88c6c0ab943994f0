/** Is this photograph good enough to recognise somebody by? An ordered list of rules; the first that fails is the answer. */
import type { Box, Face, PhotoAnalysis } from './face.ts'
import { distanceOf } from './match.ts'
import type { Template } from './match.ts'
import { PhotoRefusal } from './refusal.ts'
import type { Measured, RefusalReason } from './refusal.ts'
import { isFiniteEmbedding } from './template-bytes.ts'

/** Every threshold of the rules. Tuned on 298 ordinary press photographs of 55 people. */
export interface QualitySettings {
  /** A second face counts from this share of the chosen face's size; smaller ones are bystanders. */
  otherFaceSize: number
  /** A second face counts from this detector score. */
  otherFaceScore: number
  /** Shorter side of the face box, in pixels. */
  faceSide: number
  /** Degrees up or down. */
  pitch: number
  /** Degrees to either side. */
  yaw: number
  /** Degrees of lean; beyond it the photograph lies on its side or stands on its head. */
  roll: number
  /** Mean luma of the face, 0 to 255. */
  darkest: number
  brightest: number
  /** How much of the lower face must be visible, 0 to 1. */
  lowerFace: number
  /** Share of the face box that must lie inside the photograph. */
  inside: number
  /** As `Face.sharpness`. A second face blurrier than this is a bystander. */
  sharpness: number
}

export const DEFAULT_QUALITY: QualitySettings = {
  otherFaceSize: 0.7,
  otherFaceScore: 0.65,
  faceSide: 60,
  pitch: 30,
  yaw: 40,
  roll: 45,
  darkest: 40,
  brightest: 225,
  lowerFace: 0.3,
  inside: 0.97,
  sharpness: 2.5,
}

interface Judged {
  face: Face
  photo: PhotoAnalysis
  settings: QualitySettings
}

/** One rule: the numbers behind a refusal, or null when the face passes. */
interface Rule {
  reason: RefusalReason
  check(judged: Judged): Measured | null
}

type Measure = (judged: Judged) => number

const atLeast = (reason: RefusalReason, name: string, setting: keyof QualitySettings, measure: Measure): Rule => ({
  reason,
  check: (judged) =>
    measure(judged) < judged.settings[setting] ? { [name]: rounded(measure(judged)), limit: judged.settings[setting] } : null,
})
const atMost = (reason: RefusalReason, name: string, setting: keyof QualitySettings, measure: Measure): Rule => ({
  reason,
  check: (judged) =>
    measure(judged) > judged.settings[setting] ? { [name]: rounded(measure(judged)), limit: judged.settings[setting] } : null,
})
/** An angle to either side, named with its sign. */
const angle = (reason: RefusalReason, name: 'roll' | 'yaw' | 'pitch'): Rule => ({
  reason,
  check: ({ face, settings }) => (Math.abs(face[name]) > settings[name] ? { [name]: rounded(face[name]), limit: settings[name] } : null),
})

/** Size and light come before sharpness, which falls with both; angles come after it, since a blurred face has none to measure. */
const RULES: readonly Rule[] = [
  atLeast('faceTooSmall', 'side', 'faceSide', ({ face: { box } }) => Math.min(box.width, box.height)),
  atLeast('unclear', 'brightness', 'darkest', ({ face }) => face.brightness),
  atMost('unclear', 'brightness', 'brightest', ({ face }) => face.brightness),
  atLeast('blur', 'sharpness', 'sharpness', ({ face }) => face.sharpness),
  angle('unclear', 'roll'),
  angle('turn', 'yaw'),
  angle('pitch', 'pitch'),
  atLeast('nearEdge', 'inside', 'inside', ({ face, photo }) => insideOf(face.box, photo)),
  atLeast('unclear', 'lowerFace', 'lowerFace', ({ face }) => face.lowerFace),
  { reason: 'noFeature', check: ({ face }) => (isFiniteEmbedding(face.embedding) ? null : {}) },
]

/** A face good enough to be kept: its embedding is there. */
export type AcceptedFace = Face & { embedding: Float32Array }

interface Choice {
  settings?: QualitySettings
  /** Which of `photo.faces` is meant, when the caller has chosen among several. */
  faceIndex?: number
}

/**
 * The one face of a photograph, or why there is none to keep.
 * @throws PhotoRefusal noFace, severalFaces (with their boxes), or the first rule that fails, with what was measured
 */
export function acceptedFace(photo: PhotoAnalysis, { settings = DEFAULT_QUALITY, faceIndex }: Choice = {}): AcceptedFace {
  const face = photo.faces[faceIndex ?? 0]
  if (!face) throw new PhotoRefusal('noFace', { faces: photo.faces.length })
  const prominent = photo.faces.filter((other) => other === face || isProminent(other, face, photo, settings))
  if (faceIndex === undefined && prominent.length > 1) {
    throw new PhotoRefusal(
      'severalFaces',
      { faces: prominent.length },
      photo.faces.map(({ box }) => box),
    )
  }
  for (const { reason, check } of RULES) {
    const measured = check({ face, photo, settings })
    if (measured) throw new PhotoRefusal(reason, measured)
  }
  return face as AcceptedFace
}

/**
 * Refuses a photograph of somebody else among the photographs of one person.
 * @param within `samePersonDistance` of the model
 * @throws PhotoRefusal notSamePerson, IncompatibleModel
 */
export function assertSamePerson(candidate: Template, others: readonly Template[], within: number): void {
  if (others.length === 0) return
  const nearest = Math.min(...others.map((other) => distanceOf(candidate, other)))
  if (nearest > within) throw new PhotoRefusal('notSamePerson', { distance: rounded(nearest), limit: within })
}

/** A face that somebody may have meant: large beside the chosen one, certain, in focus, not turned away and not cut off by the edge. */
function isProminent(other: Face, chosen: Face, photo: PhotoAnalysis, settings: QualitySettings): boolean {
  const size = ({ width, height }: Box) => Math.sqrt(width * height)
  return (
    size(other.box) >= settings.otherFaceSize * size(chosen.box) &&
    other.score >= settings.otherFaceScore &&
    other.sharpness >= settings.sharpness &&
    Math.abs(other.yaw) <= settings.yaw &&
    insideOf(other.box, photo) >= settings.inside
  )
}

/** Share of a box's area that lies inside the photograph. */
function insideOf({ x, y, width, height }: Box, photo: { width: number; height: number }): number {
  const across = Math.max(0, Math.min(x + width, photo.width) - Math.max(x, 0))
  const down = Math.max(0, Math.min(y + height, photo.height) - Math.max(y, 0))
  return (across * down) / (width * height)
}

const rounded = (value: number) => Math.round(value * 100) / 100
