/** What goes into a gallery, and what comes out; and what is refused. */
import type { Calibration } from '../calibration.ts'
import { IncompatibleModel } from '../match.ts'
import type { Template } from '../match.ts'
import { isFiniteEmbedding } from '../template-bytes.ts'

/** One photograph of a person. */
export interface GalleryEntry extends Template {
  personId: string
  photoId: string
  /** Compared by itself whatever else there is of the person, because it shows another human: a contact, for example. */
  alone?: boolean | undefined
}

export interface GalleryMatch {
  personId: string
  /** The photograph of this person that came nearest. */
  photoId: string
  /** From it; where the person is known by the mean of several, the distance from a single one that is mistaken as rarely. */
  distance: number
}

export interface GallerySearch {
  /** Persons at most, default 5. */
  limit?: number
  /** Leaves out persons farther than this distance. */
  within?: number
  /** Persons left out. */
  except?: ReadonlySet<string>
  /** The only persons compared with: of a few, the search takes as long as these are many. */
  only?: ReadonlySet<string> | undefined
}

/** Which templates a gallery takes. */
export interface GalleryModel {
  modelId: string
  /** Numbers of an embedding, 1 to 4,096. */
  dimensions: number
  /** Where it knows the means of several photographs, these take their place. Absent: photographs are compared one by one. */
  calibration?: Calibration | undefined
}

/** @throws RangeError when the dimensions are none */
export function assertDimensions({ dimensions }: GalleryModel): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 4096)
    throw new RangeError(`an embedding cannot have ${dimensions} numbers`)
}

/** @throws IncompatibleModel @throws RangeError when the embedding has another length, or numbers that are not finite */
export function assertTemplate(model: GalleryModel, { modelId, embedding }: Template): void {
  if (modelId !== model.modelId) throw new IncompatibleModel(model.modelId, modelId)
  if (embedding.length !== model.dimensions) {
    throw new RangeError(`an embedding of ${modelId} has ${model.dimensions} numbers, not ${embedding.length}`)
  }
  if (!isFiniteEmbedding(embedding)) throw new RangeError('an embedding has finite numbers')
}
