/** A visitor machine for tests: a real terminal, a server of the tests that sends it visits, and passes the park has signed. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { visitorStatus } from '@gatehouse/contract/enums'
import type { MachineVisit, VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import { passBytes, passText, type VisitorPass } from '@gatehouse/contract/device/visitor-pass'
import { onTestFinished } from 'vitest'
import { scratchFolder, until } from '../../device/testing/folder.ts'
import { DEVICE } from '../../device/testing/objects.ts'
import { startTestServer, type TestServer } from '../../device/testing/server.ts'
import { BLIND_ENGINE } from '../../settings/testing/terminal.ts'
import { startTerminal, type Terminal, type TerminalOptions } from '../../terminal.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ format: 'jwk' }).x!
export const PASS_KEY = { id: createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex').slice(0, 8), key }

const MACHINE: VisitorMachineSettings = {
  companyName: 'North park',
  address: 'Gate street 1',
  forcedCardIssue: false,
  certificateRequired: false,
  openSignOff: true,
  signInLeadMinutes: 30,
  printsBadge: true,
}

/** A visit of now, whose visitor may pass. */
export function visitWith(change: Partial<MachineVisit> = {}): MachineVisit {
  const { personId = randomUUID() } = change
  return {
    id: randomUUID(),
    version: 1,
    status: visitorStatus.notYetVisited,
    name: 'Ann Li',
    phone: '13800000001',
    personId,
    passId: personId === null ? null : passIdOf(personId),
    hostName: 'Bob Wu',
    reason: 1,
    visitorNumber: 1,
    visitTime: Date.now(),
    authorisationExpiry: Date.now() + 2 * HOUR,
    template: null,
    ...change,
  }
}

const passIdOf = (personId: string): string => createHash('sha256').update(personId).digest('hex').slice(0, 16)

/** Return the text of the pass of a visit. */
export function passOf({ personId }: Pick<MachineVisit, 'personId'>, change: Partial<VisitorPass> = {}): string {
  const pass: VisitorPass = {
    keyId: PASS_KEY.id,
    id: passIdOf(personId!),
    personId: personId!,
    validFrom: Date.now() - HOUR,
    validTo: Date.now() + 2 * HOUR,
    oneUse: false,
    ...change,
  }
  return passText(pass, sign(null, passBytes(pass), privateKey))
}

let revisions = 0

/** Let the manifest name a visitor machine, or none. */
function putMachine(server: TestServer, machine: Partial<VisitorMachineSettings> | null): void {
  const { manifest } = server.audience
  const { visitorMachine: _before, ...settings } = manifest.settings
  server.audience.manifest = {
    ...manifest,
    revision: `machine-${++revisions}`,
    // Drawn faces resemble each other: only a picture of the same one is this similar.
    settings: { ...settings, threshold: 95, passKeys: [PASS_KEY], ...(machine && { visitorMachine: { ...MACHINE, ...machine } }) },
  }
}

export type Answer = Record<string, unknown> & { step: string; session: string }

export interface TestMachine {
  server: TestServer
  folder: string
  terminal(): Terminal
  sentences: string[]
  /** Stop the terminal and start it again on the same folder. */
  restart(change?: Partial<TerminalOptions>): Promise<void>
  stop(): Promise<void>
  /** Put other settings into force. */
  set(machine: Partial<VisitorMachineSettings> | null): Promise<void>
  /** Post to the machine. */
  post(path: string, body: unknown): Promise<{ status: number; answer: Answer }>
  /** Sign somebody in or off by a pass. @returns the last answer */
  go(visit: MachineVisit, purpose?: 'signIn' | 'signOff'): Promise<Answer>
  /** Wait until the machine has taken all visits of the server. */
  taken(): Promise<void>
  isOnline(): Promise<boolean>
  /** Resolves when the machine has taken all visits for the first time. */
  online(): Promise<void>
}

/** A machine that has taken these visits. It ends with the test. */
export async function machineWith(
  visits: readonly MachineVisit[],
  machine: Partial<VisitorMachineSettings> = {},
  options: Partial<TerminalOptions> = {},
): Promise<TestMachine> {
  const server = await startTestServer()
  putMachine(server, machine)
  server.machine.put(...visits)
  const folder = scratchFolder()
  const sentences: string[] = []
  const start = (change: Partial<TerminalOptions> = {}) =>
    startTerminal({
      server: server.url,
      code: DEVICE.code,
      secret: DEVICE.secret,
      dataDir: folder,
      port: 0,
      pool: BLIND_ENGINE,
      retry: { first: 20, limit: 100 },
      visitsEvery: 20,
      log: (sentence) => void sentences.push(sentence),
      ...options,
      ...change,
    })
  let terminal = await start()
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= terminal.stop())
  onTestFinished(async () => {
    await stop()
    await server.stop()
  })
  const made: TestMachine = {
    server,
    folder,
    sentences,
    terminal: () => terminal,
    async restart(change) {
      await stop()
      terminal = await start(change)
      stopped = null
    },
    stop,
    async set(change) {
      putMachine(server, change)
      server.changed()
      await until('the settings are in force', () => terminal.state().held.revision === server.audience.manifest.revision)
    },
    async post(path, body) {
      const isPicture = body instanceof Uint8Array
      const response = await fetch(`${terminal.url}visitor-machine/${path}`, {
        method: 'POST',
        body: isPicture ? Buffer.from(body) : typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': isPicture ? 'image/jpeg' : 'application/json' },
      })
      return { status: response.status, answer: (await response.json()) as Answer }
    },
    async go(visit, purpose = 'signIn') {
      const { answer } = await made.post('code', { text: passOf(visit), purpose })
      return answer.step === 'confirm' ? (await made.post('confirm', { session: answer.session })).answer : answer
    },
    async taken() {
      const { pulls } = server.machine
      await until('the visits were asked for', () => server.machine.pulls > pulls + 1)
    },
    async isOnline() {
      const state = await fetch(`${terminal.url}visitor-machine/state`)
      return ((await state.json()) as { isOnline?: boolean }).isOnline === true
    },
    async online() {
      while (!(await made.isOnline())) await pause(10)
    },
  }
  await made.online()
  return made
}
