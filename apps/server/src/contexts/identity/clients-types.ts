/** What the administration of API users offers and needs. */
import type { ApiClient, clientChange, clientFields } from '@gatehouse/contract/identity/clients'
import type { z } from 'zod'
import type { Session } from '../../platform/session/session.ts'
import type { ClientLogin } from './calls.ts'
import type * as data from './client-data.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Privilege } from './privilege.ts'
import type { Sessions } from './sessions-types.ts'

export type ClientFields = z.output<typeof clientFields>
export type ClientChange = z.output<typeof clientChange>
/** A secret of an API user, which is returned only once. */

export interface HandedSecret {
  id: string
  ApiKey: string
  ApiSecret: string
}
export interface ClientService {
  list(session: Session, query: data.ClientFilter): Promise<{ total: number; content: ApiClient[]; page: number; size: number }>
  read(session: Session, id: string): Promise<ApiClient>
  create(session: Session, fields: ClientFields): Promise<HandedSecret>
  /** Change an API user. Fields that are left out stay as they are. */
  change(session: Session, change: ClientChange): Promise<void>
  delete(session: Session, id: string): Promise<void>
  setEnabled(session: Session, id: string, enabled: boolean): Promise<void>
  resetSecret(session: Session, id: string): Promise<HandedSecret>
  /** Return the API user with this key and secret, enabled or not; null where there is none. */
  authenticate(key: string, secret: string): Promise<data.ApiClientRow | null>
  /** Issue tokens for a park that the API user may name: by default the first of its node. */
  logIn: ClientLogin
}
export interface ClientParts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
}
