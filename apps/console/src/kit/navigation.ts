/** Going somewhere from outside React. The router is handed in at start, so that the kit knows no routes. */
interface Navigation {
  go(address: string): void
  /** Path now shown, without its query. */
  current(): string
}
let navigation: Navigation = { go: () => {}, current: () => '' }

export const setNavigation = (actual: Navigation): void => void (navigation = actual)
export const goTo = (address: string): void => navigation.go(address)
export const currentPath = (): string => navigation.current()
