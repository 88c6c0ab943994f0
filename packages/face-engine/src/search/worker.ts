/** The thread of `GalleryWorker`: a gallery that does one thing after another, in the order of the messages. */
import { parentPort, workerData } from 'node:worker_threads'
import type { GalleryMatch } from './entry.ts'
import { FaceGallery, type GalleryOptions } from './gallery.ts'

/** One photograph, or all of a person. */
export interface Removal {
  personId: string
  photoId?: string | undefined
}

export type GalleryTask =
  | {
      kind: 'add'
      segment: string
      personIds: readonly string[]
      photoIds: readonly string[]
      alone: readonly number[]
      numbers: Float32Array
    }
  | { kind: 'remove'; segment: string; removals: readonly Removal[] }
  | { kind: 'drop'; segment: string }
  | {
      kind: 'search'
      question: number
      segment: string
      embedding: Float32Array
      limit: number
      within: number
      except: ReadonlySet<string>
      /** Number of a list that it was told of before, or the persons. */
      only: ReadonlySet<string> | number | undefined
    }
  | { kind: 'list'; number: number; personIds: readonly string[]; forgotten: readonly number[] }
  | {
      kind: 'searchEach'
      question: number
      segment: string
      /** Of all probes, one after another. */
      embeddings: Float32Array
      limit: number
      except: ReadonlySet<string>
      only: ReadonlySet<string>
    }
  | { kind: 'memory'; question: number }

/** A refusal travels as words: a thrown error would arrive without its class. */
export type GalleryReport =
  | { kind: 'size'; segment: string; size: number }
  | { kind: 'found'; question: number; matches: GalleryMatch[] }
  | { kind: 'foundEach'; question: number; matches: GalleryMatch[][] }
  | { kind: 'incomplete'; question: number; why: string }
  | { kind: 'memory'; question: number; bytes: number; templates: number }

if (parentPort === null) throw new Error('this file is the thread of a GalleryWorker')
const port = parentPort
const gallery = new FaceGallery(workerData as GalleryOptions)
const { modelId, dimensions } = gallery
/** Segments for which there was no room, and why: they answer nothing, because somebody would be missing. */
const incomplete = new Map<string, string>()

/** Lists of persons to whom searches are limited, by their numbers. */
const lists = new Map<number, ReadonlySet<string>>()

const report = (what: GalleryReport): void => port.postMessage(what)

port.on('message', (task: GalleryTask) => {
  if (task.kind === 'search') return search(task)
  if (task.kind === 'searchEach') return searchEach(task)
  if (task.kind === 'memory') return report({ kind: 'memory', question: task.question, ...gallery.memory() })
  if (task.kind === 'list') return list(task)
  if (task.kind === 'add') add(task)
  else if (task.kind === 'remove') for (const { personId, photoId } of task.removals) gallery.remove(task.segment, personId, photoId)
  else {
    gallery.drop(task.segment)
    incomplete.delete(task.segment)
  }
  report({ kind: 'size', segment: task.segment, size: gallery.size(task.segment) })
})

function list({ number, personIds, forgotten }: Extract<GalleryTask, { kind: 'list' }>): void {
  for (const former of forgotten) lists.delete(former)
  lists.set(number, new Set(personIds))
}

function add({ segment, personIds, photoIds, alone, numbers }: Extract<GalleryTask, { kind: 'add' }>): void {
  const byThemselves = new Set(alone)
  try {
    for (const [index, personId] of personIds.entries()) {
      const embedding = numbers.subarray(index * dimensions, (index + 1) * dimensions)
      gallery.add(segment, { personId, photoId: photoIds[index]!, modelId, embedding, alone: byThemselves.has(index) })
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    incomplete.set(segment, error.message)
  }
}

function search({ question, segment, embedding, only, ...options }: Extract<GalleryTask, { kind: 'search' }>): void {
  const why = incomplete.get(segment)
  if (why !== undefined) return report({ kind: 'incomplete', question, why })
  const meant = typeof only === 'number' ? lists.get(only)! : only
  report({ kind: 'found', question, matches: gallery.search(segment, { modelId, embedding }, { ...options, only: meant }) })
}

function searchEach({ question, segment, embeddings, ...options }: Extract<GalleryTask, { kind: 'searchEach' }>): void {
  const why = incomplete.get(segment)
  if (why !== undefined) return report({ kind: 'incomplete', question, why })
  const matches: GalleryMatch[][] = []
  for (let start = 0; start < embeddings.length; start += dimensions)
    matches.push(gallery.search(segment, { modelId, embedding: embeddings.subarray(start, start + dimensions) }, options))
  report({ kind: 'foundEach', question, matches })
}
