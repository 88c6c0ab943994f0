/** PostgreSQL cannot store NUL in text; refusing it where it arrives keeps it out of every query. */

/** Path of the first text in a value that contains NUL, or null. */
export function nulPath(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = nulPath(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
