/** API users: programs with a key and a secret (module M02). They obtain tokens by `client_credentials`. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { enableDisable } from '../enums/common.ts'
import { abilities, changeOf, created, id, idParams, idQuery, idToDelete, instant, pageData, pageQuery } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { permissionCodeValue } from './roles.ts'

const call = callsOf('identity')

/** Seconds. */
const validity = z
  .number()
  .int()
  .min(60)
  .max(365 * 86_400)

export const clientFields = z.object({
  name: z.string().trim().min(1).max(64),
  purpose: z.string().trim().max(100).nullish(),
  /** Permission codes of the API user, at least one; each must be one that the caller has. Absent: all that the caller may grant. */
  permissions: z.array(permissionCodeValue).min(1).optional(),
  /** Organisation whose parks it may name as `areaCode`; absent: the caller's own. */
  organisationId: id.nullish(),
  accessTokenValidity: validity.default(7200),
  refreshTokenValidity: validity.default(604_800),
  enablePageDataMasking: z.boolean().default(false),
})
export const clientChange = changeOf(clientFields).extend({ id, version: z.number().int().optional() })
export const apiClient = z.object({
  id,
  name: z.string(),
  ApiKey: z.string(),
  purpose: z.string(),
  permissions: z.array(z.string()),
  organisationId: id,
  organisationName: z.string(),
  /** 1 enabled, 0 disabled. */
  status: z.number().int(),
  accessTokenValidity: z.number().int(),
  refreshTokenValidity: z.number().int(),
  enablePageDataMasking: z.boolean(),
  lastUsedAt: changesByItself(instant.nullable()),
  version: z.number().int(),
  createdAt: instant,
  /** False if the API user has permissions that the caller lacks. */
  can: abilities('change', 'enable', 'disable', 'delete', 'resetSecret'),
})
export type ApiClient = z.output<typeof apiClient>
/** The secret is returned here only and cannot be read later. */
export const handedSecret = z.object({ id, ApiKey: z.string(), ApiSecret: z.string() })

const readClient = call({
  method: 'GET',
  service: 'as',
  path: '/clients',
  permission: 'system.api',
  summary: 'One API user.',
  query: idQuery,
  data: apiClient,
})

export const clientCalls = {
  list: call({
    method: 'GET',
    service: 'as',
    path: '/clients/api-client',
    permission: 'system.api',
    summary: 'API users of the caller’s part of the tree.',
    query: pageQuery.extend({ name: z.string().max(64).optional(), status: z.coerce.number().pipe(enableDisable.schema).optional() }),
    data: pageData(apiClient),
  }),
  read: readClient,
  create: call({
    method: 'POST',
    service: 'as',
    path: '/clients/api-client',
    permission: 'system.api',
    freshPassword: 'ofUsers',
    summary: 'Creates an API user; its secret is shown once.',
    body: clientFields,
    data: handedSecret,
    errors: [100413, 100510, 900004],
  }),
  change: call({
    method: 'PUT',
    service: 'as',
    path: '/clients',
    permission: 'system.api',
    freshPassword: 'ofUsers',
    summary: 'Changes an API user.',
    record: readClient,
    body: clientChange,
    data: created,
    errors: [100413, 100510, 900004],
  }),
  delete: call({
    method: 'DELETE',
    service: 'as',
    path: '/clients',
    permission: 'system.api',
    freshPassword: 'ofUsers',
    summary: 'Deletes an API user and ends its tokens; the id comes in the address or in a body.',
    ...idToDelete,
    data: created,
    errors: [100510],
  }),
  enable: call({
    method: 'POST',
    service: 'as',
    path: '/clients/enable',
    permission: 'system.api',
    freshPassword: 'ofUsers',
    summary: 'Enables or disables an API user.',
    body: z.object({ id, status: z.union([z.literal(0), z.literal(1)]) }),
    data: created,
    errors: [100510],
  }),
  resetSecret: call({
    method: 'POST',
    service: 'as',
    path: '/clients/{id}/resetClientSecret',
    permission: 'system.api',
    freshPassword: 'ofUsers',
    summary: 'Replaces the secret and ends the tokens made with the old one.',
    params: idParams,
    data: handedSecret,
    errors: [100510],
  }),
}
