/** What a terminal keeps in its data folder: the store, the log file and the settings made at the terminal. */
import type { EngineDescription } from '@gatehouse/face-engine'
import { TAMPERED } from '../device/stored-persons.ts'
import { openLogFile, type LogFile } from '../maintenance/log-file.ts'
import { openLocalSettings, type LocalSettings } from '../settings/local-settings.ts'
import { openStore, type TerminalStore } from '../store/store.ts'
import type { TerminalOptions } from './options.ts'

export interface DataFolder {
  store: TerminalStore
  logFile: LogFile
  /** Writes to the log file and to the `log` of the options. */
  log: (sentence: string) => void
  settings: LocalSettings
}

/** Open a data folder, and log what is unusual about it. @throws StoreUnusable */
export function openDataFolder(
  options: Pick<TerminalOptions, 'dataDir' | 'dataKeyFile' | 'code' | 'pictureQuota' | 'log'>,
  engine: EngineDescription,
  clock: () => number,
): DataFolder {
  const openedAt = clock()
  const store = openStore({
    folder: options.dataDir,
    keyFile: options.dataKeyFile,
    code: options.code,
    model: engine,
    clock,
    pictureQuota: options.pictureQuota,
  })
  store.prune()
  const logFile = openLogFile({ folder: options.dataDir, clock })
  const log = (sentence: string): void => {
    logFile.write(sentence)
    options.log?.(sentence)
  }
  const tampering = store.holdings.tampering()
  if (tampering !== null && tampering.at >= openedAt)
    log(`${TAMPERED} Persons: ${tampering.persons}; rules: ${tampering.rules ? 'yes' : 'no'}.`)
  const settings = openLocalSettings({ folder: options.dataDir, fromServer: () => store.holdings.settings()?.configuration, log })
  const renewing = store.holdings.renewing()
  if (renewing)
    log(
      `The faces held are none of the face engine "${engine.name}" (${engine.modelId}): ` +
        `${renewing.total} persons are fetched anew, and not recognised before.`,
    )
  return { store, logFile, log, settings }
}
