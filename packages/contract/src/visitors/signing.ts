/** What visitors accept on their own page: documents as they are shown, and how each was agreed to or signed. */
import { z } from 'zod'
import { LANGUAGES } from '../envelope.ts'
import { PERSON_NAME_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { id } from '../schema.ts'
import { rule } from '../validation.ts'

/** Documents of a park, at most. */
export const DOCUMENTS_MAX = 5

/** How a visitor accepts a document: by a tick, or by a signature. */
export const DOCUMENT_AGREEMENTS = ['tick', 'sign'] as const
/** How a document was accepted: by a tick, a drawn signature, or the name typed in place of one. */
export const DOCUMENT_ACCEPTANCES = ['tick', 'drawn', 'typed'] as const
export type DocumentAcceptance = (typeof DOCUMENT_ACCEPTANCES)[number]

/** Units of a drawn signature: its left and upper edges are 0. */
export const SIGNATURE = { width: 1000, height: 400 } as const
const SIGNATURE_STROKES_MAX = 100
/** Coordinates of all strokes of a signature together. */
export const SIGNATURE_COORDINATES_MAX = 6000

const coordinate = z.number().int().min(0).max(Math.max(SIGNATURE.width, SIGNATURE.height))
/** Strokes of a pen, each a list of x, y, x, y, …; one of a single point is a dot. */
const strokes = z
  .array(
    z
      .array(coordinate)
      .min(2)
      .max(SIGNATURE_COORDINATES_MAX)
      .refine((values) => values.length % 2 === 0, rule('invalid')),
  )
  .min(1)
  .max(SIGNATURE_STROKES_MAX)
  .refine((all) => all.reduce((sum, { length }) => sum + length, 0) <= SIGNATURE_COORDINATES_MAX, {
    ...rule('max.array', { limit: SIGNATURE_COORDINATES_MAX }),
  })
export type SignatureStrokes = z.output<typeof strokes>

/** A document as it was shown, and what its visitor did: ticked it, unless strokes or a typed name are there. */
export const acceptedDocument = z.object({
  documentId: id,
  /** The version and the language that were shown. */
  documentVersion: z.number().int().min(1),
  language: z.enum(LANGUAGES),
  strokes: strokes.nullish(),
  /** The name of the visitor, typed in place of a drawn signature. */
  typedName: masked('name', z.string().trim().min(2).max(PERSON_NAME_MAX)).nullish(),
})
export type AcceptedDocument = z.output<typeof acceptedDocument>

/** A document as the page of a link shows it, in one language. */
export const openDocument = z.object({
  documentId: id,
  documentVersion: z.number().int(),
  language: z.enum(LANGUAGES),
  title: z.string(),
  text: z.string(),
  agreement: z.enum(DOCUMENT_AGREEMENTS),
})
export type OpenDocument = z.output<typeof openDocument>
