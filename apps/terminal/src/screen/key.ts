/** The key of a terminal on another machine: it comes with the address, behind `#key=`, and stays in a cookie no script sees. */

/** Why this page may not see the terminal. */
const REFUSED: Record<number, string | undefined> = { 401: 'keyNeeded', 403: 'notAllowedFromHere' }

/** Hands in the key of the address, which then stands there no longer. @returns key of the texts, where the terminal refuses this page; else null */
export async function offerKey(): Promise<string | null> {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key !== null) history.replaceState(null, '', location.pathname + location.search)
  try {
    const { status } = await fetch('/screenKey', { method: 'POST', ...(key && { headers: { authorization: `Bearer ${key}` } }) })
    return REFUSED[status] ?? null
  } catch {
    // Not there yet: its events are asked for again and again.
    return null
  }
}
