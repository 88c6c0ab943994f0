/**
 * The files named by settings: voice prompt and screen saver. Those of the server are fetched once and stored in the data folder, so that
 * they are available without a network; those uploaded at the terminal itself are stored there from the start.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { ServerRefused } from '../device/server.ts'
import { writeWhole } from './whole-file.ts'

export interface SettingFiles {
  /** Return the path on this terminal at which a file is served; null if there is none, or none yet. */
  address(id: string | null): string | null
  read(id: string): { type: 'image/png' | 'audio/mpeg'; bytes: Uint8Array } | null
  /**
   * Store a file uploaded at the terminal. @returns its id, for `screenSaver` or `voiceFile`
   * @throws TypeError when it is neither a PNG picture nor an MP3 sound
   */
  put(bytes: Uint8Array): string
  /** Fetch the files that are named and missing, and remove those that no setting names, after a change of settings or connection. */
  refresh(): void
  stop(): Promise<void>
}

export interface SettingFilesOptions {
  /** Data folder of the terminal. */
  folder: string
  /** Settings in force, and those made here; files named by either are kept. */
  settings: () => Pick<TerminalSettings, 'voiceFile' | 'screenSaver'>
  local: () => Partial<TerminalSettings>
  /** @throws ServerAway, ServerRefused */
  fetchFile: (id: string, signal: AbortSignal) => Promise<Uint8Array>
  online: () => boolean
  /** Milliseconds between attempts; default half a minute. */
  retryAfter?: number
  onChange: () => void
  log: (sentence: string) => void
}

const LOCAL = 'local-'
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Open the files of a data folder. */
export function openSettingFiles({
  folder: dataFolder,
  settings,
  local,
  fetchFile,
  online,
  retryAfter = 30_000,
  onChange,
  log,
}: SettingFilesOptions): SettingFiles {
  const folder = join(dataFolder, 'files')
  // Files that no setting names are deleted, so the folder must not be a link to another place.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stopping = new AbortController()
  const fetching = new Map<string, Promise<void>>()
  /** Ids of files that the server does not have or that are invalid; they are not requested again before the next start. */
  const missing = new Set<string>()
  /** Names of files uploaded here that no setting may name yet. */
  const given = new Set<string>()
  let again: NodeJS.Timeout | undefined

  /** Ids come from outside; their hash is always a valid file name. */
  const nameOf = (id: string) => createHash('sha256').update(id).digest('hex')
  const fileOf = (id: string) => join(folder, nameOf(id))
  const named = () =>
    [settings(), local()].flatMap(({ voiceFile, screenSaver }) => [voiceFile, screenSaver]).filter((id) => id !== null && id !== undefined)

  async function take(id: string): Promise<void> {
    try {
      const bytes = await fetchFile(id, stopping.signal)
      if (typeOf(bytes) === null) throw new TypeError('it is neither a PNG picture nor an MP3 sound')
      writeWhole(fileOf(id), bytes)
      onChange()
    } catch (error) {
      if (stopping.signal.aborted) return
      log(`A file that the settings name could not be taken: ${error instanceof Error ? error.message : String(error)}`)
      if (error instanceof ServerRefused || error instanceof TypeError) missing.add(id)
      again ??= setTimeout(() => {
        again = undefined
        refresh()
      }, retryAfter).unref()
    }
  }

  function refresh(): void {
    if (stopping.signal.aborted) return
    const ids = named()
    const names = new Set(ids.map(nameOf))
    for (const name of readdirSync(folder))
      if (!names.has(name.replace(/\.new$/, '')) && !given.has(name)) rmSync(join(folder, name), { force: true })
    if (!online()) return
    for (const id of ids) {
      if (id.startsWith(LOCAL) || missing.has(id) || fetching.has(id) || again || existsSync(fileOf(id))) continue
      fetching.set(
        id,
        take(id).finally(() => fetching.delete(id)),
      )
    }
  }

  return {
    address: (id) => (id !== null && existsSync(fileOf(id)) ? `/files/${encodeURIComponent(id)}` : null),
    read(id) {
      if (!existsSync(fileOf(id))) return null
      const bytes = readFileSync(fileOf(id))
      const type = typeOf(bytes)
      return type && { type, bytes }
    },
    put(bytes) {
      if (typeOf(bytes) === null) throw new TypeError('The file is neither a PNG picture nor an MP3 sound.')
      const id = `${LOCAL}${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
      writeWhole(fileOf(id), bytes)
      given.add(nameOf(id))
      return id
    },
    refresh,
    async stop() {
      stopping.abort()
      clearTimeout(again)
      await Promise.all(fetching.values())
    },
  }
}

/** Return the type by the first bytes: declared types prove nothing. */
function typeOf(bytes: Uint8Array): 'image/png' | 'audio/mpeg' | null {
  if (PNG.equals(bytes.subarray(0, PNG.length))) return 'image/png'
  const tagged = Buffer.from(bytes.subarray(0, 3)).toString('latin1') === 'ID3'
  const synchronised = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2
  return tagged || synchronised ? 'audio/mpeg' : null
}
