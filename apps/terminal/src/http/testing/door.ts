/** A terminal at a door of the tests: its persons, its settings, and inputs as its readers and its camera send them. */
import { expect, onTestFinished } from 'vitest'
import { acceptedFace, BUILTIN_DIMENSIONS, type FacePool } from '@gatehouse/face-engine'
import { terminalSettingValues, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { scratchFolder, until } from '../../device/testing/folder.ts'
import { DEVICE, idOf, OPEN_STRATEGY, personWith } from '../../device/testing/objects.ts'
import { startTestServer, type TestServer } from '../../device/testing/server.ts'
import { startTerminal, type Terminal, type TerminalOptions, type Verdict } from '../../terminal.ts'

export interface Somebody extends Partial<Omit<PersonObject, 'credentials'>> {
  photo?: Uint8Array
  credentials?: Partial<NonNullable<PersonObject['credentials']>>
}

export interface DoorSettings {
  methods?: readonly number[]
  factorTimeoutMs?: number
  configuration?: Partial<TerminalSettings>
  devicePassword?: string
}

export type Answer = Verdict & { message: string; reason: unknown; retryAfter?: number; field?: string }
export interface Door {
  terminal: Terminal
  server: TestServer
  /** Stop the terminal; the server stays. */
  stop(): Promise<void>
  /** Stop both. */
  end(): Promise<void>
  /** Put other settings into force. */
  set(settings: DoorSettings): Promise<void>
  post(path: string, body: object | Uint8Array): Promise<{ status: number; answer: Answer }>
  /** Show something; the answer must be 200. */
  show(path: string, body: object | Uint8Array): Promise<Answer>
  /** Return all records so far, once there are `count` of them. */
  records(count: number): Promise<RecordObject[]>
}

/** A person as the server sends it. */
async function sentPerson(
  pool: Pick<FacePool, 'analyse'>,
  name: string,
  { photo, credentials, ...change }: Somebody,
): Promise<PersonObject> {
  const embedding = photo ? acceptedFace(await pool.analyse(photo)).embedding : new Float32Array(BUILTIN_DIMENSIONS)
  const person = personWith(idOf(name), embedding, { name, ...change })
  const shown = credentials && {
    cards: [],
    idNumber: null,
    personalPassword: null,
    cardPassword: null,
    qrCodes: [],
    handprints: [],
    ...credentials,
  }
  return { ...person, ...(shown && { credentials: shown }), ...(!photo && !change.faces && { faces: [] }) }
}

/** A door that waits neither after a passage nor after a refusal, by default. It belongs to the test and ends with it. */
export async function openDoor(...given: Parameters<typeof standingDoor>): Promise<Door> {
  const door = await standingDoor(...given)
  onTestFinished(door.end)
  return door
}

/** As `openDoor`, for several tests; the caller ends it and chooses its data folder. */
export async function standingDoor(
  pool: NonNullable<TerminalOptions['pool']>,
  people: Record<string, Somebody>,
  settings: DoorSettings = {},
  options: Partial<TerminalOptions> = {},
): Promise<Door> {
  const server = await startTestServer()
  for (const [name, somebody] of Object.entries(people)) server.audience.put(await sentPerson(pool, name, somebody))
  const terminal = await startTerminal({
    server: server.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    port: 0,
    pool,
    ...options,
    dataDir: options.dataDir ?? scratchFolder(),
  })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= terminal.stop())
  const end = async () => {
    await stop()
    await server.stop()
  }
  let revision = 0
  const door: Door = {
    terminal,
    server,
    stop,
    end,
    async set({ methods = [1], factorTimeoutMs = 60_000, configuration = {}, devicePassword }) {
      const { manifest } = server.audience
      const values = terminalSettingValues.parse({ successInterval: 0, failureInterval: 0, ...configuration })
      server.secrets = { ...server.secrets, devicePassword: devicePassword ?? null }
      const secretsRevision = devicePassword === undefined ? '' : `secrets-${++revision}`
      server.audience.manifest = {
        ...manifest,
        revision: `set-${++revision}`,
        settings: { ...manifest.settings, factorTimeoutMs, configuration: values, secretsRevision },
        strategies: [{ ...OPEN_STRATEGY, methods: [...methods] }],
      }
      server.changed()
      await until('the settings are in force', () => terminal.state().held.revision === server.audience.manifest.revision)
      if (secretsRevision !== '') await until('the secrets hold', () => terminal.secretsRevision() === secretsRevision)
    },
    async post(path, body) {
      const isPicture = body instanceof Uint8Array
      const response = await fetch(terminal.url + path, {
        method: 'POST',
        body: isPicture ? Buffer.from(body) : JSON.stringify(body),
        headers: { 'content-type': isPicture ? 'image/jpeg' : 'application/json' },
      })
      return { status: response.status, answer: (await response.json()) as Answer }
    },
    async show(path, body) {
      const { status, answer } = await door.post(path, body)
      expect({ status, reason: answer.reason ?? null }).toMatchObject({ status: 200 })
      return answer
    },
    async records(count) {
      const all = () => [...server.records.values()].flatMap((records) => [...records.values()])
      await until(`${count} records are there`, () => all().length >= count)
      return all().toSorted((one, other) => one.seq - other.seq)
    },
  }
  try {
    await until('it holds its persons', () => server.statuses.at(-1)?.held?.cursor === Object.keys(people).length)
    await door.set(settings)
  } catch (error) {
    await end()
    throw error
  }
  return door
}
