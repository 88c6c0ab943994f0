/** Parts that the files of the faces service share. */
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Analysis } from './analysis.ts'
import type { CurvesInForce } from './curves-in-force.ts'
import type { Embedding } from './embedding.ts'
import type { Gallery } from './gallery.ts'
import type { Matching } from './matching-types.ts'
import type { SamePerson } from './same-person.ts'
import type { FacesNeeds } from './service-types.ts'
import type { FaceSettings } from './settings.ts'
import type { Thresholds } from './thresholds.ts'

export interface FacesServiceParts {
  platform: Platform
  needs: FacesNeeds
  /** The running engine. */
  description: EngineDescription
  analysis: Analysis
  curves: CurvesInForce
  policy: FaceSettings
  thresholds: Thresholds
  gallery: Gallery
  embedding: Embedding
  matching: Matching
  samePerson: SamePerson
}
