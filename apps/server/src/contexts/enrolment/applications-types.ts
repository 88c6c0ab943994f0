/** What applications offer, and what they need of other areas. */
import type { PersonApplication, enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { z } from 'zod'
import type { Language } from '@gatehouse/contract'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { PersonHolder } from '../../platform/context.ts'
import type * as data from './data.ts'

export type Submitted = z.output<(typeof enrolmentCalls)['submit']['body']>
export type Second = z.output<(typeof enrolmentCalls)['submitSecond']['body']>
export type Applied = z.output<(typeof enrolmentCalls)['apply']['body']>
/** What a park requires of people who enrol themselves. */

export interface ConsentPolicy {
  required: boolean
  /** Empty where the park has written none. */
  text: string
}

export interface ApplicationNeeds {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  consent(scope: Scope, language: Language): ConsentPolicy
}

export interface Applications {
  list(scope: Scope, query: data.ApplicationQuery): Promise<{ total: number; content: PersonApplication[]; page: number; size: number }>
  /** Submit through a link. @throws Refusal of the photograph at `file` */
  submit(link: data.LinkRow, sent: Submitted, file: Uint8Array | null): Promise<string>
  /**
   * Submit a second photograph for an application made through the link; return the application's id.
   * @throws InvalidRequest for one that is no longer pending, or was made otherwise; Refusal of the photograph at `file`
   */
  submitSecond(link: data.LinkRow, sent: Second, file: Uint8Array | null): Promise<string>
  /** Submit from a third party. @throws Refusal of the photograph at `photo` */
  apply(scope: Scope, sent: Applied): Promise<string>
  /** What is known of persons here, decided applications too. */
  holder: PersonHolder
}
