/** What users may do with their own account, and what these operations need. */
import type { OwnSession, personal } from '@gatehouse/contract/identity/own'
import type { z } from 'zod'
import type { Language } from '@gatehouse/contract'
import type { Session } from '../../platform/session/session.ts'
import type * as data from './data.ts'
import type { PersonalNumbers } from './personal-numbers.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Codes } from './codes.ts'
import type { Proofs } from './login-proof.ts'
import type { Sessions } from './sessions-types.ts'

export type PersonalData = z.output<typeof personal>
export interface OwnAccount {
  /** Return the account of a user's session with its telephone and ID card. @throws Refusal 100510 for an API user, who has none */
  read(session: Session): Promise<data.Account & PersonalNumbers>
  /** Change the user's own data. A change of the e-mail address or telephone is reported to the former e-mail address. */
  updatePersonal(session: Session, body: PersonalData, language: Language): Promise<{ id: string }>
  /** @throws Refusal 100406 for a wrong old password, 100419 for the same one again, 903 after six wrong ones */
  changePassword(session: Session, passwords: { old: string; new: string }, ip: string, language: Language): Promise<{ id: string }>
  /**
   * Confirm the session with the password.
   * @returns end of the confirmation in epoch milliseconds
   * @throws Refusal 100401 for a wrong password, 903 after six wrong ones
   */
  confirm(session: Session, password: string, ip: string): Promise<{ until: number }>
  /**
   * Change a password that the login no longer takes.
   *
   * @throws as `changePassword`, and as a login does; InvalidRequest for a first password that was not used in time
   */
  changeExpired(request: {
    account: string
    /** Opens the passwords, once the limit of the address permits the try. */
    passwords: () => Promise<{ old: string; new: string }>
    captcha?: string | undefined
    knownDevice?: string | undefined
    otp?: string | undefined
    ip: string
    language: Language
  }): Promise<{ id: string }>
  sessions(session: Session): Promise<OwnSession[]>
  endSession(session: Session, id: string): Promise<{ id: string }>
  endOtherSessions(session: Session): Promise<{ ended: number }>
  phoneCode(session: Session, phone: string, ip: string, language: Language): Promise<{ validMinutes: number; delivered: boolean }>
  checkPhoneCode(session: Session, phone: string, code: string, ip: string): Promise<{ verified: boolean }>
}
export interface OwnParts {
  organisation: OrganisationService
  sessions: Sessions
  proofs: Proofs
  codes: Codes
}
