/** Navigation from outside React. The router is passed in at start, so that the kit depends on no routes. */
interface Navigation {
  /** A promise resolves when the page is shown. */
  go(address: string): Promise<void> | void
  /** The current address, with its query. */
  address(): string
}
let navigation: Navigation = { go: () => {}, address: () => '' }

export const setNavigation = (actual: Navigation): void => void (navigation = actual)
/** Go to an address. Resolves when the page is shown; callers need not wait. */
export const goTo = async (address: string): Promise<void> => {
  await navigation.go(address)
}
export const currentAddress = (): string => navigation.address()
/** Return the current path, without its query. */
export const currentPath = (): string => currentAddress().split('?')[0] ?? ''
