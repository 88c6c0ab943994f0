/** The interface of applications, and what they need from other areas. */
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
  /** Empty if the park has not written any. */
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
  /** Submit through a link. @throws Refusal of the photo at `file` */
  submit(link: data.LinkRow, sent: Submitted, file: Uint8Array | null): Promise<string>
  /**
   * Submit a second photo for an application made through the link; return the application's id.
   *
   * @throws InvalidRequest for one that is no longer pending, or was made in another way; Refusal of the photo at `file`
   */
  submitSecond(link: data.LinkRow, sent: Second, file: Uint8Array | null): Promise<string>
  /** Submit from a third party. @throws Refusal of the photo at `photo` */
  apply(scope: Scope, sent: Applied): Promise<string>
  /** The data of persons in applications, including decided ones. */
  holder: PersonHolder
}
