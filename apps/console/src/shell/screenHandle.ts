import type { ScreenName } from '../screens.ts'

/** The data of a route about its screen: `useMatches().at(-1)?.handle`. */
export interface ScreenHandle {
  name: ScreenName
}
