/**
 * PostgreSQL cannot store NUL in text. Requests are refused for it where they are checked; what is read in another way, such as
 * a header or a file, is stopped at the connection to the database (`database.ts`).
 */

/** Path of the first text in a value that contains NUL, or null. */
export function nulPath(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\0')) return path
    const found = nulPath(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

/** Whether a parameter of a query is, or holds, a text with NUL. Bytes may hold any. */
export const isNulParameter = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : Array.isArray(value) && value.some(isNulParameter)
