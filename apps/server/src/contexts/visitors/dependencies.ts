/** What visits need of other areas. */
import type { Language } from '@gatehouse/contract'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { FacesService, SubmittedPhotos } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Passages, RecordErasure } from '../records/index.ts'
import type { StrategyReading, StrategyService } from '../strategies/index.ts'

export interface VisitorsDependencies {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  photos: SubmittedPhotos
  strategies: Pick<StrategyService, 'names'>
  reading: Pick<StrategyReading, 'findStrategies'>
  devices: Pick<DevicesService, 'names' | 'noteFetched'>
  organisation: Pick<OrganisationService, 'park' | 'parks'>
  passages: Passages
  records: Pick<RecordErasure, 'noteErasure' | 'pseudonymise'>
  privacy: VisitorPrivacy
  /** Return the configured start of links; null if none is configured. */
  publicAddress(scope: Scope): string | null
  /** Count an attempt in the current window, or in a new one of `windowMs`. @throws TooManyTries beyond `most` in it */
  demandRoom(subject: string, windowMs: number, most: number): Promise<void>
}

/** What the park demands where personal data of visitors are concerned. */
export interface VisitorPrivacy {
  /** Whether photos are accepted only of persons who agreed. */
  consentRequired(scope: Scope): boolean
  /** What persons agree to, in a language or else in one there is, with the version of the policy; null where the park says nothing. */
  consentVersion(scope: Scope, language: Language): { text: string; language: Language; version: number } | null
  /** Whether access records of erased persons get a pseudonym. */
  pseudonymises(scope: Scope): boolean
  /** Days after the end of a visit after which it is erased; null: never. */
  retentionDays(scope: Scope): number | null
}

/** Who calls, as far as visits are concerned. */
export interface VisitCaller {
  operator: string
  masking: boolean
  language: Language
}
