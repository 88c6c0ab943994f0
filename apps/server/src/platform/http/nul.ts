/**
 * PostgreSQL cannot store NUL in text. Requests that contain it are refused where they are checked. Text from other sources, such as a
 * header or a file, is stopped at the connection to the database (`database.ts`).
 */

const hasNul = (text: string): boolean => text.includes('\0')

/** Return the path of the first text in a value that contains NUL, or null. */
export const nulPath = (value: unknown): string | null => pathOf(value, hasNul)

/**
 * Return whether PostgreSQL can store a text in every column: without NUL, and without half of a surrogate pair, which a JSON column does
 * not accept.
 */
export const isStorableText = (text: string): boolean => !hasNul(text) && text.isWellFormed()

/** Return the path of the first text in a value that cannot be stored, or null. */
export const unstorablePath = (value: unknown): string | null => pathOf(value, (text) => !isStorableText(text))

function pathOf(value: unknown, isMeant: (text: string) => boolean, path = ''): string | null {
  if (typeof value === 'string') return isMeant(value) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (isMeant(key)) return path
    const found = pathOf(inner, isMeant, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

/** Return whether a parameter of a query is, or contains, a text with NUL. Bytes may contain it. */
export const isNulParameter = (value: unknown): boolean =>
  typeof value === 'string' ? hasNul(value) : Array.isArray(value) && value.some(isNulParameter)
