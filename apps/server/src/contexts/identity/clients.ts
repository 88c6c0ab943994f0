/** API users: programs with a key and a secret. */
import type { ApiClient } from '@gatehouse/contract/identity/clients'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import * as data from './client-data.ts'
import { createClientLogin } from './client-login.ts'
import { hashOf, newKey, newSecret } from './client-secrets.ts'
import { assertMayUnmask, clientAbilities } from './policy.ts'
import { lackedBy, type Holding, type Privilege } from './privilege.ts'
import type { ClientFields, ClientParts, ClientService } from './clients-types.ts'

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

/** Return a row under the field names of the calls. */
const fieldsOf = (row: data.ApiClientRow): ClientFields => ({
  name: row.name,
  purpose: row.purpose,
  permissions: row.permissions as ClientFields['permissions'],
  organisationId: row.organisationId,
  accessTokenValidity: row.accessSeconds,
  refreshTokenValidity: row.refreshSeconds,
  enablePageDataMasking: row.masking,
})

/**
 * Return the values of a form, as far as the caller may grant them.
 * @throws Refusal 100413 for a node outside the caller's part of the tree, 100510 for permissions that the caller lacks
 */
async function granted(privilege: Privilege, session: Session, fields: ClientFields): Promise<data.ClientValues> {
  const organisationId = fields.organisationId ?? session.organisationId
  if (!privilege.reaches(session, organisationId)) refuse(100413, 'organisationId')
  const holding = await privilege.of(session)
  // An API user has no limit to device groups, so permissions that the caller has for some devices only are not passed on.
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

/** Turn the violation of a constraint into a refusal. @throws Refusal 900004 for a duplicate name; any other error unchanged */
function refuseConflict(error: unknown): never {
  if (violatedConstraint(error) === 'api_client_name') refuse(900004, 'name')
  throw error
}

/** Return whether the caller has all permissions of an API user. */
const covers = (holding: Holding, row: data.ApiClientRow): boolean => lackedBy(holding, row).length === 0

export function createClients(platform: Platform, { organisation, sessions, privilege }: ClientParts): ClientService {
  const db = platform.db

  const present = (session: Session, holding: Holding, row: data.ApiClientRow): ApiClient => ({
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
    can: clientAbilities(session, row, covers(holding, row)),
  })

  async function visible(session: Session, id: string): Promise<data.ApiClientRow> {
    const row = await data.findClientUnscoped(db, { id })
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    return row
  }

  /**
   * Return an API user that the caller may act on: with its secret the caller could do all that it may. @throws NotFound; Refusal 100510
   */
  async function actedOn(session: Session, id: string): Promise<data.ApiClientRow> {
    const row = await visible(session, id)
    if (!covers(await privilege.of(session), row)) forbid()
    return row
  }

  const changed = (id: string, work: (tx: Transaction) => Promise<void>): Promise<void> =>
    sessions.changing([id], work).catch(refuseConflict)

  return {
    ...createClientLogin(platform, { organisation, sessions }),
    async list(session, query) {
      const nodeIds =
        session.organisationId === organisation.root().id
          ? null
          : organisation
              .tree()
              .below(session.organisationId)
              .map(({ id }) => id)
      const { total, content } = await data.listClientsUnscoped(db, query, nodeIds)
      const holding = await privilege.of(session)
      return { total, content: content.map((row) => present(session, holding, row)), page: query.page, size: query.size }
    },
    async read(session, id) {
      return present(session, await privilege.of(session), await visible(session, id))
    },
    async create(session, fields) {
      assertMayUnmask(session, fields.enablePageDataMasking)
      const values = await granted(privilege, session, fields)
      const [id, apiKey, secret] = [newId(), newKey(), newSecret()]
      await platform
        .transaction(async (tx) => {
          await data.insertClientUnscoped(tx, { id, apiKey, secretHash: hashOf(secret) }, values, platform.clock.now())
          platform.audit.note({ entity: 'apiUser', id, label: values.name, after: logged(values) })
        })
        .catch(refuseConflict)
      return { id, ApiKey: apiKey, ApiSecret: secret }
    },
    async change(session, { id, version, ...change }) {
      const row = await actedOn(session, id)
      const fields = leftAsItWas<ClientFields>(fieldsOf(row), change)
      assertMayUnmask(session, fields.enablePageDataMasking, row.masking)
      const values = await granted(privilege, session, fields)
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
      assertMayUnmask(session, row.masking)
      const secret = newSecret()
      await changed(id, async (tx) => {
        await data.updateClientStateUnscoped(tx, id, { secretHash: hashOf(secret) })
        await sessions.revokeAllIn(tx, { clientId: id }, null)
        platform.audit.note({ entity: 'apiUser', id, label: row.name, before: { secret: '' }, after: { secret: 'reset' } })
      })
      return { id, ApiKey: row.apiKey, ApiSecret: secret }
    },
  }
}
