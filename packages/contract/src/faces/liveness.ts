/**
 * Liveness: whether a living face is in front of the camera, by a threshold that is derived from the park's own captures of people and of
 * pictures.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id, ids, instant, pageData, pageQuery } from '../schema.ts'
import { LIVENESS_MODES } from './policy.ts'
import { measuredRate } from './report.ts'

const call = callsOf('faces')

export const CAPTURE_LABELS = ['genuine', 'spoof'] as const
export const CAPTURE_SOURCES = ['upload', 'record'] as const

export const livenessCapture = z.object({
  id,
  label: z.enum(CAPTURE_LABELS),
  source: z.enum(CAPTURE_SOURCES),
  /** Score from 0 to 1. */
  score: z.number(),
  modelId: z.string(),
  recordId: id.nullable(),
  createdAt: instant,
})
export type LivenessCapture = z.output<typeof livenessCapture>

export const livenessPoint = z.object({
  threshold: z.number(),
  /** Share of living faces that are refused. */
  genuineRefused: measuredRate,
  /** Share of pictures that are accepted. */
  spoofAccepted: measuredRate,
})
export type LivenessPoint = z.output<typeof livenessPoint>

export const livenessState = z.object({
  mode: z.enum(LIVENESS_MODES),
  threshold: z.number().nullable(),
  /** False: the current engine cannot detect liveness. */
  available: z.boolean(),
  modelId: z.string().nullable(),
  genuine: z.number().int(),
  spoof: z.number().int(),
  /** In ascending order of threshold; empty without captures of both kinds. */
  curve: z.array(livenessPoint),
  /**
   * Threshold at which at most one genuine capture in 100 is refused and the fewest spoofs are accepted; null while there are too few
   * captures.
   */
  suggestion: livenessPoint.nullable(),
  /** Captures of each kind that are needed for a suggestion. */
  wanted: z.number().int(),
})
export type LivenessState = z.output<typeof livenessState>

export const faceLivenessCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/face/liveness',
    permission: 'device.setting',
    summary: 'What the captures say about telling living faces from pictures.',
    data: livenessState,
    origin: 'own',
  }),
  captures: call({
    method: 'GET',
    service: 'biz',
    path: '/face/liveness/capture/list',
    permission: 'device.setting',
    summary: 'Captures with a label, newest first.',
    query: pageQuery.extend({ label: z.enum(CAPTURE_LABELS).optional() }),
    data: pageData(livenessCapture),
    origin: 'own',
  }),
  add: call({
    method: 'POST',
    service: 'biz',
    path: '/face/liveness/capture',
    permission: 'device.setting',
    summary: 'Scores a photograph taken by a terminal or phone as genuine or as a picture held up; the photograph is not kept.',
    consumes: 'multipart',
    body: z.object({ label: z.enum(CAPTURE_LABELS) }),
    data: livenessCapture,
    errors: [200204, 200205, 200206, 200208],
    bodyLimit: 11 * 1024 * 1024,
    origin: 'own',
  }),
  addRecord: call({
    method: 'POST',
    service: 'biz',
    path: '/face/liveness/capture/record',
    permission: 'access.record',
    besides: ['device.setting'],
    summary: 'Labels a passage whose liveness score a trial recorded.',
    body: z.object({ recordId: id, label: z.enum(CAPTURE_LABELS) }),
    data: livenessCapture,
    origin: 'own',
  }),
  remove: call({
    method: 'DELETE',
    service: 'biz',
    path: '/face/liveness/capture',
    permission: 'device.setting',
    summary: 'Takes captures out.',
    body: ids,
    data: z.object({ count: z.number().int() }),
    origin: 'own',
  }),
}
