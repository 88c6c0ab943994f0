/** The password hash of the terminal's own console, with a mark, so that a person who can write the file cannot choose the password. */
import type { DatabaseSync } from 'node:sqlite'
import type { Vault } from './vault.ts'

export interface ConsolePassword {
  /** Return the hash; null if there is none, or its mark does not match. */
  read(): string | null
  keep(hash: string): void
  /** Mark the existing hash. */
  adopt(): void
}

const PLACE = 'consolePassword'
const MARK = 'consolePasswordMark'

export function createConsolePassword(database: DatabaseSync, vault: Vault): ConsolePassword {
  const get = database.prepare('SELECT value FROM meta WHERE name = ?')
  const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  const textOf = (name: string): string | null => {
    const value = (get.get(name) as { value: unknown } | undefined)?.value
    return typeof value === 'string' ? value : null
  }
  function keep(hash: string): void {
    put.run(PLACE, hash)
    put.run(MARK, Buffer.from(vault.mac(PLACE, [hash])).toString('base64'))
  }

  return {
    read() {
      const hash = textOf(PLACE)
      return hash !== null && vault.isMacOf(Buffer.from(textOf(MARK) ?? '', 'base64'), PLACE, [hash]) ? hash : null
    },
    keep,
    adopt() {
      const hash = textOf(PLACE)
      if (hash !== null) keep(hash)
    },
  }
}
