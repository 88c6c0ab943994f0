/** API users: programs with a key and a secret. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { ApiClient, clientChange, clientFields } from '@gatehouse/contract/identity/clients'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { ClientLogin } from './calls.ts'
import * as data from './client-data.ts'
import { refusedLogin } from './login-proof.ts'
import { lackedBy, type Privilege } from './privilege.ts'
import type { IdentityTables } from './schema.ts'
import type { Sessions } from './sessions.ts'

export type ClientFields = z.output<typeof clientFields>
export type ClientChange = z.output<typeof clientChange>
/** Answered once. */
export interface HandedSecret {
  id: string
  ApiKey: string
  ApiSecret: string
}

export interface ClientService {
  list(session: Session, query: data.ClientFilter): Promise<{ total: number; content: ApiClient[]; page: number; size: number }>
  read(session: Session, id: string): Promise<ApiClient>
  create(session: Session, fields: ClientFields): Promise<HandedSecret>
  /** What is left out stays as it was. */
  change(session: Session, change: ClientChange): Promise<void>
  delete(session: Session, id: string): Promise<void>
  setEnabled(session: Session, id: string, enabled: boolean): Promise<void>
  resetSecret(session: Session, id: string): Promise<HandedSecret>
  /** The API user with this key and secret, enabled or not; null where they do not fit. */
  authenticate(key: string, secret: string): Promise<data.ApiClientRow | null>
  /** Tokens for a park the API user may name: the first of its node unless told. */
  logIn: ClientLogin
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
}

/** 256 random bits need no slow hash: nobody guesses them, whatever the speed. */
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const newSecret = (): string => randomBytes(32).toString('base64url')
const newKey = (): string => randomBytes(12).toString('hex')

const logged = ({
  name,
  purpose,
  permissions,
  organisationId,
  accessSeconds,
  refreshSeconds,
  masking,
}: data.ClientValues): Record<string, unknown> => ({
  name,
  purpose,
  permissions,
  organisationId,
  accessTokenValidity: accessSeconds,
  refreshTokenValidity: refreshSeconds,
  enablePageDataMasking: masking,
})

/** A row as the calls name its fields. */
const fieldsOf = (row: data.ApiClientRow): ClientFields => ({
  name: row.name,
  purpose: row.purpose,
  permissions: row.permissions as ClientFields['permissions'],
  organisationId: row.organisationId,
  accessTokenValidity: row.accessSeconds,
  refreshTokenValidity: row.refreshSeconds,
  enablePageDataMasking: row.masking,
})

export function createClients(platform: Platform, { organisation, sessions, privilege }: Parts): ClientService {
  const db = platform.db as unknown as Database<IdentityTables>

  const present = (row: data.ApiClientRow): ApiClient => ({
    id: row.id,
    name: row.name,
    ApiKey: row.apiKey,
    purpose: row.purpose,
    permissions: row.permissions,
    organisationId: row.organisationId,
    organisationName: organisation.get(row.organisationId)?.name ?? '',
    status: row.enabled ? 1 : 0,
    accessTokenValidity: row.accessSeconds,
    refreshTokenValidity: row.refreshSeconds,
    enablePageDataMasking: row.masking,
    lastUsedAt: row.lastUsedAt,
    version: row.version,
    createdAt: row.createdAt,
  })

  async function visible(session: Session, id: string): Promise<data.ApiClientRow> {
    const row = await data.findClientUnscoped(db, { id })
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    return row
  }

  /** One the caller may act on: with its secret he could do all it may. */
  async function actedOn(session: Session, id: string): Promise<data.ApiClientRow> {
    const row = await visible(session, id)
    if (lackedBy(await privilege.of(session), row).length > 0) forbid()
    return row
  }

  /** Whoever sees personal data masked makes no program that sees more. @param before how it was */
  const demandMasking = (session: Session, masking: boolean, before = true): void => {
    if (session.masking && !masking && before) forbid('enablePageDataMasking')
  }

  async function granted(session: Session, fields: ClientFields): Promise<data.ClientValues> {
    const organisationId = fields.organisationId ?? session.organisationId
    if (!privilege.reaches(session, organisationId)) refuse(100413, 'organisationId')
    const holding = await privilege.of(session)
    // An API user is limited to no device group: what the caller may do for some devices only is not handed on.
    const { permissions = holding.permissions.filter((code) => lackedBy(holding, { permissions: [code] }).length === 0) } = fields
    if (permissions.length === 0 || lackedBy(holding, { permissions }).length > 0) forbid('permissions')
    return {
      name: fields.name,
      purpose: fields.purpose ?? '',
      permissions: [...new Set(permissions)],
      organisationId,
      accessSeconds: fields.accessTokenValidity,
      refreshSeconds: fields.refreshTokenValidity,
      masking: fields.enablePageDataMasking,
    }
  }

  const changed = (id: string, work: (tx: Tx<IdentityTables>) => Promise<void>): Promise<void> => sessions.changing([id], work).catch(taken)

  function taken(error: unknown): never {
    if (violatedConstraint(error) === 'api_client_name') refuse(900004, 'name')
    throw error
  }

  async function authenticate(key: string, secret: string): Promise<data.ApiClientRow | null> {
    const row = await data.findClientUnscoped(db, { apiKey: key })
    // Compared in any case, so that an unknown key takes as long as a wrong secret.
    const fits = timingSafeEqual(row?.secretHash ?? hashOf('nobody'), hashOf(secret))
    return row !== undefined && fits ? row : null
  }

  return {
    authenticate,
    async logIn({ id: key, secret }, areaCode, { ip, agent }) {
      const client = await authenticate(key, secret)
      if (client === null) throw refusedLogin(100412)
      if (!client.enabled) throw refusedLogin(901)
      const parks = organisation.parksBelow(client.organisationId)
      const park = areaCode === undefined ? parks[0] : parks.find((one) => one.areaCode === areaCode)
      if (park === undefined) throw refusedLogin(100413)
      return platform.transaction(async (tx: Tx<IdentityTables>) => {
        await data.updateClientStateUnscoped(tx, client.id, { lastUsedAt: platform.clock.now() })
        platform.audit.actAs({ parkId: park.id, userId: client.id, account: client.apiKey, operator: client.name, source: 'thirdParty' })
        return sessions.issue(tx as never, {
          owner: { clientId: client.id },
          parkId: park.id,
          ip,
          agent,
          accessSeconds: client.accessSeconds,
          refreshSeconds: client.refreshSeconds,
        })
      })
    },
    async list(session, query) {
      const nodeIds =
        session.organisationId === organisation.root().id
          ? null
          : organisation
              .tree()
              .below(session.organisationId)
              .map(({ id }) => id)
      const { total, content } = await data.listClientsUnscoped(db, query, nodeIds)
      return { total, content: content.map(present), page: query.page, size: query.size }
    },
    async read(session, id) {
      return present(await visible(session, id))
    },
    async create(session, fields) {
      demandMasking(session, fields.enablePageDataMasking)
      const values = await granted(session, fields)
      const [id, apiKey, secret] = [newId(), newKey(), newSecret()]
      await platform
        .transaction(async (tx: Tx<IdentityTables>) => {
          await data.insertClientUnscoped(tx, { id, apiKey, secretHash: hashOf(secret) }, values, platform.clock.now())
          platform.audit.note({ entity: 'apiUser', id, label: values.name, after: logged(values) })
        })
        .catch(taken)
      return { id, ApiKey: apiKey, ApiSecret: secret }
    },
    async change(session, { id, version, ...change }) {
      const row = await actedOn(session, id)
      const fields = leftAsItWas<ClientFields>(fieldsOf(row), change)
      demandMasking(session, fields.enablePageDataMasking, row.masking)
      const values = await granted(session, fields)
      await changed(id, async (tx) => {
        if (!(await data.updateClientUnscoped(tx, id, values, version ?? row.version, platform.clock.now())))
          throw new Conflict(['name', 'permissions'])
        platform.audit.note({ entity: 'apiUser', id, label: values.name, before: logged(row), after: logged(values) })
      })
    },
    async delete(session, id) {
      const row = await actedOn(session, id)
      await changed(id, async (tx) => {
        await data.deleteClientUnscoped(tx, id)
        platform.audit.note({ entity: 'apiUser', id, label: row.name, before: logged(row) })
      })
    },
    async setEnabled(session, id, enabled) {
      const row = await actedOn(session, id)
      if (row.enabled === enabled) return
      await changed(id, async (tx) => {
        await data.updateClientStateUnscoped(tx, id, { enabled })
        platform.audit.note({ entity: 'apiUser', id, label: row.name, before: { enabled: row.enabled }, after: { enabled } })
      })
    },
    async resetSecret(session, id) {
      const row = await actedOn(session, id)
      demandMasking(session, row.masking)
      const secret = newSecret()
      await changed(id, async (tx) => {
        await data.updateClientStateUnscoped(tx, id, { secretHash: hashOf(secret) })
        await sessions.revokeAllIn(tx as never, { clientId: id }, null)
        platform.audit.note({ entity: 'apiUser', id, label: row.name, before: { secret: '' }, after: { secret: 'reset' } })
      })
      return { id, ApiKey: row.apiKey, ApiSecret: secret }
    },
  }
}
