/** What the second factor of an account offers and needs. */
import type { Language } from '@gatehouse/contract'
import type { DemandedOf, SecondFactorState } from '@gatehouse/contract/identity/second-factor'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Attempts } from './login-attempts.ts'
import type { Privilege } from './privilege.ts'
import type { SecondFactorCheck } from './second-factor-check.ts'
import type { SecondFactorDemand } from './second-factor-demand.ts'
import type { Sessions } from './sessions-types.ts'

export interface SecondFactors {
  read(session: Session): Promise<SecondFactorState>
  /**
   * Begin to set up a factor.
   * @param code of the current factor; undefined: there is none
   * @throws Refusal 100115 for a wrong code, 100114 after too many
   */
  begin(session: Session, code: string | undefined): Promise<{ secret: string; uri: string; qr: string; validMinutes: number }>
  /** Complete the set-up that `begin` started. @throws as `begin` */
  confirm(session: Session, code: string, language: Language): Promise<{ recoveryCodes: string[] }>
  /** @throws as `begin` */
  renewRecoveryCodes(session: Session, code: string): Promise<{ recoveryCodes: string[] }>
  /** @throws as `begin`; Refusal 100510 where it is demanded */
  remove(session: Session, code: string, language: Language): Promise<{ id: string }>
  /** Remove the factor of another user, where there is one. @throws Refusal 100510 for an account that has more than the caller */
  reset(session: Session, id: string, language: Language): Promise<{ id: string }>
  config(): { demandedOf: DemandedOf; version: number }
  /** Set for which accounts a factor is demanded. @throws Refusal 100510 for a caller who demands it without having one */
  configure(session: Session, config: { demandedOf: DemandedOf }, version: number | undefined): Promise<void>
}
export interface SecondFactorParts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  attempts: Attempts
  check: SecondFactorCheck
  demand: SecondFactorDemand
}
