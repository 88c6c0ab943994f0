/** Where the data screen opens. */
import { path } from '../../../paths.ts'

/** A data screen's full address: http where the installation is privatised, https otherwise. */
export function screenAddress({ host, pathname }: Pick<Location, 'host' | 'pathname'>, privatised: boolean): string {
  return `${privatised ? 'http' : 'https'}://${host}${pathname}#${path('dataScreen')}`
}
