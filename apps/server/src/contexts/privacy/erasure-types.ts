/** What the erasure of persons offers, and what it needs of other areas. */
import type { Erasure, privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { z } from 'zod'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { PeopleService, PersonErasure } from '../people/index.ts'
import type * as data from './data.ts'
import type { PersonHolder } from '../../platform/context.ts'
import type { RecordErasure } from '../records/index.ts'

export interface ErasureRequest {
  origin: Erasure['origin']
  reason: string
  /** Name of the user who requested it; empty for the park's own rule. */
  requestedBy: string
}

export type ErasurePreview = z.output<(typeof privacyCalls)['preview']['data']>
export interface ErasureService {
  /**
   * Erase persons; return the receipts in the order of the ids, those of earlier erasures included.
   * @throws NotFound where a person neither is nor was of this park: then none is erased
   */
  erase(scope: Scope, personIds: readonly string[], request: ErasureRequest): Promise<string[]>
  /** @throws NotFound */
  preview(scope: Scope, personIds: readonly string[]): Promise<ErasurePreview>
  list(scope: Scope, query: data.ErasureQuery): Promise<{ total: number; content: Erasure[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<Erasure>
}
export interface ErasureNeeds {
  people: Pick<PeopleService, 'remove'>
  persons: PersonErasure
  faces: Pick<FacesService, 'release' | 'releaseContacts' | 'count' | 'templatesOf' | 'modelId'>
  access: RecordErasure
  holders(): readonly PersonHolder[]
}
