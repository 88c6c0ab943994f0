/** Addresses of the data screen. */
import { DATA_SCREEN_TOKEN_QUERY } from '@gatehouse/contract'
import { path } from '../../../paths.ts'

/** Return the full address of a data screen: http where the installation is privatised, https otherwise. */
export function screenAddress({ host, pathname }: Pick<Location, 'host' | 'pathname'>, privatised: boolean): string {
  return `${privatised ? 'http' : 'https'}://${host}${pathname}#${path('dataScreen')}`
}

interface LinkParts {
  token: string
  areaCode: string
  language: string
  /** Null: the link does not expire. */
  endsAt: number | null
}

/** Return the address of a link, with the parameters of the specification. */
export function linkAddress(
  here: Pick<Location, 'host' | 'pathname'>,
  privatised: boolean,
  { token, areaCode, language, endsAt }: LinkParts,
): string {
  const search = new URLSearchParams({ ac: areaCode, l: language, [DATA_SCREEN_TOKEN_QUERY]: token })
  if (endsAt !== null) search.set('expires', String(endsAt))
  return `${screenAddress(here, privatised)}?${search}`
}
