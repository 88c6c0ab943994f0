import type { ScreenName } from '../screens.ts'

/** What a route knows of its screen: `useMatches().at(-1)?.handle`. */
export interface ScreenHandle {
  name: ScreenName
}
