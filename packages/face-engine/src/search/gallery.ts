/** One against many: whose face is nearest? Exact, so nobody is missed because of an index. */
import type { Template } from '../match.ts'
import { assertDimensions, assertTemplate } from './entry.ts'
import type { GalleryEntry, GalleryMatch, GalleryModel, GallerySearch } from './entry.ts'
import { bestKernel, startKernel } from './kernel.ts'
import type { Kernel, KernelKind } from './kernel.ts'
import { Rows } from './rows.ts'
import { JoinedSegment } from './joined-segment.ts'

export interface GalleryOptions extends GalleryModel {
  /** Memory for templates at most. Default: as far as WebAssembly goes, more than 20 million of 128 numbers. */
  bytes?: number | undefined
  /** Instructions of the scan. Default: the fastest that this machine has. */
  kernel?: KernelKind | undefined
}

/**
 * The templates of all persons, in memory, in segments that are searched one at a time (a segment is a park).
 * A template of d numbers takes 5·d + 20 bytes (660 at 128; 100,000 are 66 MB), and its two ids about 200 more.
 * Answers are those of the plain loop (`plain.ts`) to the last bit: nearest first, the smaller person id and photo id where distances
 * are the same.
 */
export class FaceGallery {
  readonly modelId: string
  readonly dimensions: number
  readonly #rows: Rows
  readonly #kernel: Kernel
  readonly #segments = new Map<string, JoinedSegment>()
  readonly #empty: () => JoinedSegment

  /** @throws RangeError when the dimensions are none */
  constructor({ modelId, dimensions, calibration, bytes = Infinity, kernel = bestKernel() }: GalleryOptions) {
    this.modelId = modelId
    this.dimensions = dimensions
    assertDimensions(this)
    this.#rows = new Rows(dimensions, bytes)
    this.#kernel = startKernel(kernel, this.#rows.memory)
    this.#empty = () => new JoinedSegment(this.#rows, this.#kernel, calibration)
  }

  /**
   * Adds one photograph of a person, or replaces it.
   * @throws IncompatibleModel
   * @throws RangeError when the embedding has another length or a number that is not finite, and when the memory is full
   */
  add(segment: string, entry: GalleryEntry): void {
    assertTemplate(this, entry)
    const found = this.#segments.get(segment) ?? this.#empty()
    found.put(entry)
    this.#segments.set(segment, found)
  }

  /** Removes one photograph of a person, or all of them. @returns how many were removed */
  remove(segment: string, personId: string, photoId?: string): number {
    const found = this.#segments.get(segment)
    if (!found) return 0
    const removed = found.remove(personId, photoId)
    if (found.templates === 0) this.#segments.delete(segment)
    return removed
  }

  /** Removes all photographs of a segment. */
  drop(segment: string): void {
    this.#segments.get(segment)?.clear()
    this.#segments.delete(segment)
  }

  /**
   * The persons whose photographs come nearest, nearest first, each person once.
   * @throws IncompatibleModel @throws RangeError when the probe has another length or a number that is not finite
   */
  search(segment: string, probe: Template, { limit = 5, within = Infinity, ...filter }: GallerySearch = {}): GalleryMatch[] {
    assertTemplate(this, probe)
    return this.#segments.get(segment)?.search(probe.embedding, limit, within, filter) ?? []
  }

  /** Templates a segment compares with, or all do: one for each photograph, or for several that are one. */
  size(segment?: string): number {
    if (segment !== undefined) return this.#segments.get(segment)?.templates ?? 0
    return [...this.#segments.values()].reduce((sum, { templates }) => sum + templates, 0)
  }

  /** What the templates take, without their ids; memory once taken is kept for others. */
  memory(): { bytes: number; templates: number } {
    return { bytes: this.#rows.bytes, templates: this.size() }
  }
}
