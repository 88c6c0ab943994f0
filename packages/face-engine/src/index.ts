/** Faces in photographs: find, judge, embed, compare. */
export { BUILTIN_DIMENSIONS, BUILTIN_ENGINE, BUILTIN_MODEL } from './builtin/model.ts'
export {
  distanceOfScore,
  falseNonMatchAt,
  leadOf,
  recommendedScore,
  samePersonDistance,
  samePictureDistance,
  scoreOf,
  speaksOf,
} from './calibration.ts'
export type { Calibration, CalibrationPoint } from './calibration.ts'
export { descriptionOf, engineOf } from './engine-choice.ts'
export type { EngineChoice } from './engine-choice.ts'
export { faceSquare, type Square } from './crop.ts'
export type { AnalyseOptions, Box, EngineDescription, Face, FaceEngine, Landmarks, PhotoAnalysis, Point, Timings } from './face.ts'
export type { GalleryEntry, GalleryMatch, GallerySearch } from './search/entry.ts'
export { FaceGallery } from './search/gallery.ts'
export { GalleryWorker, type WorkerSearch } from './search/gallery-worker.ts'
export { PersonList } from './search/person-list.ts'
export type { CaptureCandidate, CaptureLimits } from './search/capture-scan.ts'
export type { CaptureColumns, CaptureFilter } from './search/capture-segment.ts'
export { CaptureSearchWorker } from './search/capture-worker.ts'
export type { CaptureSearch } from './search/capture-worker.ts'
export { nearestCaptures } from './search/nearest-captures.ts'
export type { CaptureMatch } from './search/nearest-captures.ts'
export * from './match.ts'
export { asOfOne, distanceToAll, joins, meanOf, ofMean } from './means.ts'
export { MODEL_SET_FILE, ModelSetInvalid, filesOf, parseModelSet, readModelSet } from './onnx/model-set.ts'
export type { ModelSet } from './onnx/model-set.ts'
export { createErrorCounts, gridOf } from './measure/error-counts.ts'
export type { ErrorCounts, ErrorCurve, GridPoint } from './measure/error-counts.ts'
export { livenessCurve, suggestedLiveness } from './measure/liveness.ts'
export { bytesOfEmbedding, embeddingOfBytes, isFiniteEmbedding } from './template-bytes.ts'
export { FacePool, FacePoolBusy } from './pool.ts'
export type { FacePoolOptions } from './pool.ts'
export { DEFAULT_QUALITY, acceptedFace, assertSamePerson } from './quality.ts'
export type { AcceptedFace, QualitySettings } from './quality.ts'
export { PhotoRefusal, REFUSAL } from './refusal.ts'
export type { Measured, RefusalCode, RefusalReason } from './refusal.ts'
export { DISTINCT_PORTRAITS, portraitGender } from './portrait/portrait.ts'
export type { Gender } from './portrait/traits.ts'
export { PHOTO_LIMITS } from './photo.ts'
