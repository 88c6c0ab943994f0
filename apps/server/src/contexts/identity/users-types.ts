/** What the administration of accounts offers and needs. */
import type { User, userChange, userCreate } from '@gatehouse/contract/identity/users'
import type { z } from 'zod'
import type * as data from './users-data.ts'
import type { Language } from '@gatehouse/contract'
import type { Session } from '../../platform/session/session.ts'
import type { HandedPassword } from './user-passwords-types.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { CipherTexts } from './cipher-texts.ts'
import type { Privilege } from './privilege.ts'
import type { RoleService } from './roles.ts'
import type { Sessions } from './sessions-types.ts'

export type UserCreate = z.output<typeof userCreate>
export type UserChange = z.output<typeof userChange>
export type UserQuery = data.UserFilter & { organisationId?: string | undefined }
export interface UserService {
  list(session: Session, query: UserQuery, language: Language): Promise<{ total: number; content: User[]; page: number; size: number }>
  read(session: Session, id: string, language: Language): Promise<User>
  create(session: Session, fields: UserCreate, language: Language): Promise<HandedPassword>
  change(session: Session, fields: UserChange, language: Language): Promise<void>
  delete(session: Session, id: string): Promise<void>
  setEnabled(session: Session, id: string, enabled: boolean): Promise<void>
  resetPassword(session: Session, id: string, sendByEmail: boolean, language: Language): Promise<HandedPassword>
  isFreeName(account: string): Promise<boolean>
  /** Return whether no other account has the address. @param userId account that may have it */
  isFreeEmail(email: string, userId?: string): Promise<boolean>
}
export interface UserParts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  roles: RoleService
  cipherTexts: CipherTexts
}
