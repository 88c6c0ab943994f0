/** Permissions of data folders: for the server's account only. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

/**
 * Most permissions of a data folder. Under root the built-in database runs as another account, which has to pass through; it can neither
 * list nor read the folder.
 */
const ALLOWED = process.getuid?.() === 0 ? 0o711 : 0o700

/** Create a data folder where it is missing, and remove excess permissions from an existing one. */
export function closeDataDirectory(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ALLOWED })
  const mode = statSync(folder).mode & 0o777
  if ((mode & ~ALLOWED) === 0) return
  try {
    chmodSync(folder, mode & ALLOWED)
  } catch (error) {
    // A mounted folder may belong to another account, which then decides.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
