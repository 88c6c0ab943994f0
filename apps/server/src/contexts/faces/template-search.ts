/** The exact search among templates that areas above keep themselves, by days that are read when they are needed. */
export { CaptureSearchWorker, PersonList, embeddingOfBytes, isFiniteEmbedding, nearestCaptures } from '@gatehouse/face-engine'
export type { CaptureColumns, CaptureFilter, CaptureLimits, CaptureMatch, CaptureSearch } from '@gatehouse/face-engine'
