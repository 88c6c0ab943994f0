/** A door with a real terminal and an engine of its own, at which people pass all the time; results and records are noted. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { MadeDevice } from '@gatehouse/dev-env/site'
import { FacePool, type EngineChoice } from '@gatehouse/face-engine'
import { startTerminal, type Terminal, type Verdict } from '@gatehouse/terminal'
import { until } from './until.ts'

/** A person who is admitted with another photo than those they are registered with. */
export interface Passer {
  personId: string
  photo: Buffer
  /** As the terminal reported it the first time. */
  score: number
}

export interface DoorOptions {
  server: string
  device: MadeDevice
  folder: string
  /** Milliseconds between two passages: the machine has other work too. */
  pauseMs: number
}

export interface Door {
  readonly device: MadeDevice
  readonly pool: FacePool
  state(): ReturnType<Terminal['state']>
  /** Show a picture to the terminal; the record is noted. */
  look(photo: Uint8Array): Promise<Verdict>
  /** Start, or start again with another engine, on the same folder. */
  start(engine: EngineChoice): Promise<void>
  /** Let these people pass one after the other until `rest`. */
  pass(passers: readonly Passer[]): void
  rest(): Promise<void>
  /** Let each person pass once. */
  passOnce(passers: readonly Passer[]): Promise<void>
  /** Passages at which a person was not admitted, or not by the same face with the same score as the first time. */
  readonly faults: readonly string[]
  /** Return the number of passages so far, and how many of them happened without a server. */
  counts(): { passages: number; offline: number }
  /** Ids of all records. */
  readonly records: readonly string[]
  /** Wait until it is online and stores this many persons who can be recognised. */
  holds(persons: number): Promise<void>
  /** Wait until the server has all its records. */
  emptied(): Promise<void>
  /** Return the model whose templates are on its disk, read from what is stored there, and the lengths of the templates. */
  kept(): { modelId: string; bytes: number[]; faces: number }
  stop(): Promise<void>
}

/** Bytes that encryption adds to a template on the disk: nonce and tag. */
const SEAL_BYTES = 28
/** Tolerance of scores: the engine computes the same score for a picture that is decoded again. */
const SAME = 1e-6

export function createDoor({ server, device, folder, pauseMs }: DoorOptions): Door {
  let terminal: Terminal | null = null
  let pool: FacePool | null = null
  let passing: Promise<void> | null = null
  let resting = false
  const [faults, records]: [string[], string[]] = [[], []]
  const counts = { passages: 0, offline: 0 }

  async function look(photo: Uint8Array): Promise<Verdict> {
    const verdict = await terminal!.look(photo)
    if (verdict.recordId !== null) records.push(verdict.recordId)
    return verdict
  }

  async function passOne({ personId, photo, score }: Passer): Promise<void> {
    const verdict = await look(photo)
    counts.passages++
    if (terminal!.state().link.kind !== 'online') counts.offline++
    const same =
      verdict.verdict === 'allowed' &&
      verdict.personId === personId &&
      Math.abs((verdict.score ?? 0) - score) < SAME &&
      verdict.recordId !== null
    if (!same)
      faults.push(`${personId} (${score}): ${verdict.verdict} ${verdict.personId} ${verdict.score} ${verdict.failReason} ${verdict.reason}`)
  }

  async function halt(): Promise<void> {
    resting = true
    await passing
    passing = null
  }

  async function stop(): Promise<void> {
    await halt()
    await terminal?.stop()
    await pool?.close()
    terminal = null
    pool = null
  }

  return {
    device,
    faults,
    records,
    look,
    get pool() {
      return pool!
    },
    state: () => terminal!.state(),
    async start(engine) {
      await stop()
      pool = new FacePool({ engine, workers: 1 })
      terminal = await startTerminal({
        server,
        code: device.code,
        secret: device.secret,
        dataDir: folder,
        port: 0,
        pool,
        retry: { first: 50, limit: 400 },
        resendAfter: 1_000,
      })
      await terminal.ready()
    },
    pass(passers) {
      resting = false
      passing = (async () => {
        for (let turn = 0; !resting; turn++) {
          await passOne(passers[turn % passers.length]!)
          await delay(pauseMs)
        }
      })()
      // Awaited by `rest`.
      passing.catch(() => {})
    },
    rest: halt,
    async passOnce(passers) {
      for (const passer of passers) await passOne(passer)
    },
    counts: () => ({ ...counts }),
    holds: async (persons) => {
      await until(
        `${device.code} to hold ${persons} persons`,
        () => terminal!.state().link.kind === 'online' && terminal!.state().held.persons === persons,
        60,
      ).catch((error: unknown) => {
        throw new Error(
          `${device.code} does not come to ` +
            `hold ${persons} persons: ${JSON.stringify(terminal!.state().held)}, ${terminal!.state().link.kind}`,
          { cause: error },
        )
      })
    },
    emptied: async () => {
      await until(
        `${device.code} to have sent everything`,
        () => terminal!.state().queue.records + terminal!.state().queue.pictures === 0,
        60,
      )
    },
    kept() {
      // The terminal keeps its file locked; it runs in this process, so nothing is written while the file is copied.
      const copy = mkdtempSync(join(tmpdir(), 'gatehouse-kept-'))
      for (const file of ['terminal.sqlite', 'terminal.sqlite-wal'])
        if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file))
      const book = new DatabaseSync(join(copy, 'terminal.sqlite'))
      try {
        const { value } = book.prepare(`SELECT value FROM meta WHERE name = 'modelId'`).get() as { value: string }
        const rows = book.prepare('SELECT length(template) AS bytes, count(*) AS faces FROM face GROUP BY 1 ORDER BY 1').all() as {
          bytes: number
          faces: number
        }[]
        return {
          modelId: value,
          bytes: rows.map(({ bytes }) => bytes - SEAL_BYTES),
          faces: rows.reduce((sum, { faces }) => sum + faces, 0),
        }
      } finally {
        book.close()
        rmSync(copy, { recursive: true })
      }
    },
    stop,
  }
}
