/** Initial values of the form of an API user, and the lifetimes of its tokens in words. */
import type { InputOf } from '@gatehouse/contract'
import type { ApiClient, clientChange } from '@gatehouse/contract/identity/clients'

export type ClientValues = Partial<InputOf<typeof clientChange>>

/** Seconds. */
const ACCESS = 7200
const REFRESH = 604_800

export const newClient = (organisationId: string): ClientValues => ({
  organisationId,
  permissions: [],
  accessTokenValidity: ACCESS,
  refreshTokenValidity: REFRESH,
  enablePageDataMasking: false,
  purpose: '',
})

export const clientValuesOf = (client: ApiClient): ClientValues => ({
  name: client.name,
  purpose: client.purpose,
  permissions: client.permissions as NonNullable<ClientValues['permissions']>,
  organisationId: client.organisationId,
  accessTokenValidity: client.accessTokenValidity,
  refreshTokenValidity: client.refreshTokenValidity,
  enablePageDataMasking: client.enablePageDataMasking,
})

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const
export type Span = { unit: (typeof UNITS)[number][0]; count: number }

/** Return seconds in the largest unit that divides them. */
export function spanOf(seconds: number): Span {
  const [unit, size] = UNITS.find(([, one]) => seconds % one === 0) ?? UNITS[3]
  return { unit, count: seconds / size }
}
