/** Where the data screen opens. */
import { DATA_SCREEN_TOKEN_QUERY } from '@gatehouse/contract'
import { path } from '../../../paths.ts'

/** A data screen's full address: http where the installation is privatised, https otherwise. */
export function screenAddress({ host, pathname }: Pick<Location, 'host' | 'pathname'>, privatised: boolean): string {
  return `${privatised ? 'http' : 'https'}://${host}${pathname}#${path('dataScreen')}`
}

interface LinkParts {
  token: string
  areaCode: string
  language: string
  /** Null: it does not end by itself. */
  endsAt: number | null
}

/** The address a link opens the screen by, as the specification names its parts. */
export function linkAddress(
  here: Pick<Location, 'host' | 'pathname'>,
  privatised: boolean,
  { token, areaCode, language, endsAt }: LinkParts,
): string {
  const search = new URLSearchParams({ ac: areaCode, l: language, [DATA_SCREEN_TOKEN_QUERY]: token })
  if (endsAt !== null) search.set('expires', String(endsAt))
  return `${screenAddress(here, privatised)}?${search}`
}
