/**
 * The key of a terminal on another machine. It arrives in the address, after `#key=`, and is then kept in a cookie that no script can read.
 */

/** Why this page may not see the terminal. */
const REFUSED: Record<number, string | undefined> = { 401: 'keyNeeded', 403: 'notAllowedFromHere' }

/**
 * Send the key in the address to the terminal, and remove it from the address.
 * @returns key of the texts if the terminal refuses this page; otherwise null
 */
export async function offerKey(): Promise<string | null> {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key !== null) history.replaceState(null, '', location.pathname + location.search)
  try {
    const { status } = await fetch('/screenKey', { method: 'POST', ...(key && { headers: { authorization: `Bearer ${key}` } }) })
    return REFUSED[status] ?? null
  } catch {
    // The terminal does not answer yet; its events are requested until it does.
    return null
  }
}
