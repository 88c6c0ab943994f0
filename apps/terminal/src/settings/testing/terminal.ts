/** Terminals for tests of the surroundings: real ones, connected to a server of the tests, with a fake engine that sees nobody. */
import { BUILT_IN_SETTINGS, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { PhotoRefusal } from '@gatehouse/face-engine'
import { onTestFinished } from 'vitest'
import { scratchFolder, until } from '../../device/testing/folder.ts'
import { DEVICE } from '../../device/testing/objects.ts'
import { startTestServer, type TestServer } from '../../device/testing/server.ts'
import { startTerminal, type Terminal, type TerminalOptions } from '../../terminal.ts'

/** A fake engine that finds nobody in any picture. */
export const BLIND_ENGINE: NonNullable<TerminalOptions['pool']> = {
  modelId: 'blind-1',
  description: {
    kind: 'builtin',
    modelId: 'blind-1',
    name: 'Blind',
    dimensions: 512,
    calibration: {
      curve: [
        { distance: 0.5, falseMatchRate: 1e-4, falseNonMatchRate: null },
        { distance: 0.6, falseMatchRate: 1e-2, falseNonMatchRate: null },
      ],
      unlike: 1.4,
      recommended: { door: 1e-4, watchList: 1e-3, search: 1e-2 },
      measured: false,
      source: 'made up for the tests',
    },
    livenessModelId: null,
    licences: [],
  },
  ready: async () => {},
  analyse: () => Promise.reject(new PhotoRefusal('noFace')),
  close: async () => {},
}

let revisions = 0

/** Let the server set these values, and all others to the built-in ones. */
export function configure(server: TestServer, values: Partial<TerminalSettings>): string {
  const { manifest } = server.audience
  const revision = `configured-${++revisions}`
  server.audience.manifest = {
    ...manifest,
    revision,
    settings: { ...manifest.settings, configuration: { ...BUILT_IN_SETTINGS, ...values } },
  }
  server.changed()
  return revision
}

export interface TestTerminal {
  terminal: Terminal
  server: TestServer
  folder: string
  sentences: string[]
  stop: () => Promise<void>
  /** As `configure`; resolves when the terminal has applied it. */
  configured(values: Partial<TerminalSettings>): Promise<void>
}

/** A terminal that is online. It ends with the test. */
export async function terminalForTest(change: Partial<TerminalOptions> = {}, server?: TestServer): Promise<TestTerminal> {
  const own = server ?? (await startTestServer())
  const folder = change.dataDir ?? scratchFolder()
  const sentences: string[] = []
  const terminal = await startTerminal({
    server: own.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    dataDir: folder,
    port: 0,
    pool: BLIND_ENGINE,
    retry: { first: 20, limit: 100 },
    log: (sentence) => void sentences.push(sentence),
    ...change,
  })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= terminal.stop())
  onTestFinished(async () => {
    await stop()
    if (!server) await own.stop()
  })
  await until('the terminal is online', () => terminal.state().link.kind === 'online' && terminal.state().device !== null)
  return {
    terminal,
    server: own,
    folder,
    sentences,
    stop,
    async configured(values) {
      const revision = configure(own, values)
      await until('the settings are taken', () => terminal.state().held.revision === revision)
    },
  }
}
