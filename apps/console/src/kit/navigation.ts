/** Going somewhere from outside React. The router is handed in at start, so that the kit knows no routes. */
interface Navigation {
  /** A promise resolves when it is shown. */
  go(address: string): Promise<void> | void
  /** Address now shown, with its query. */
  address(): string
}
let navigation: Navigation = { go: () => {}, address: () => '' }

export const setNavigation = (actual: Navigation): void => void (navigation = actual)
/** Resolves when it is shown; nobody has to wait. */
export const goTo = async (address: string): Promise<void> => {
  await navigation.go(address)
}
export const currentAddress = (): string => navigation.address()
/** Path now shown, without its query. */
export const currentPath = (): string => currentAddress().split('?')[0] ?? ''
