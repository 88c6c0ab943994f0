/** Folders of data are of the server's account alone. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

/**
 * What an account may do with a folder of data at most. Under root the built-in database runs as another account, which
 * has to pass through; it can neither list nor read what lies there.
 */
const ALLOWED = process.getuid?.() === 0 ? 0o711 : 0o700

/** Make a folder of data where it is missing, and take from an existing one what others may do with it. */
export function closeDataDirectory(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ALLOWED })
  const mode = statSync(folder).mode & 0o777
  if ((mode & ~ALLOWED) === 0) return
  try {
    chmodSync(folder, mode & ALLOWED)
  } catch (error) {
    // A mounted folder may belong to somebody else, who then decides.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
