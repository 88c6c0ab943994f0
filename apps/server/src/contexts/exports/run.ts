/**
 * Making the files that were asked for: one at a time in the whole installation, in the order of their coming, as work that
 * survives a crash. Whatever an attempt that died has left is removed, and the file is made anew from its start.
 */
import type { Readable } from 'node:stream'
import { EXPORT_KEPT, SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import type { ExportReason } from '@gatehouse/contract/exports/calls'
import type { Platform } from '../../platform/context.ts'
import { isDatabaseFault } from '../../platform/database/database-fault.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import { newId } from '../../platform/database/ids.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { KeptFiles } from '../../platform/storage/kept-file.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { parkClock } from '../organisation/index.ts'
import * as data from './data.ts'
import { picturedFile, sheetFile } from './pack.ts'
import type { ExportTables } from './schema.ts'
import { openWish } from './wish.ts'

const RUN = 'exports.make'
/** One line for all parks. */
const OWNER: Scope = { parkId: INSTALLATION_ID }
const DAY = 86_400_000

/** The task was stopped, removed or begun anew: nothing of this attempt may be kept. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface Run {
  /** Asks for the work, in the transaction that lets a task wait. */
  request(tx: OpenTransaction): Promise<void>
  /** Asks for it where something waits and nobody works. */
  goOn(): Promise<void>
}

/** When something that happened now is removed. */
export const keptFrom = (now: number): { now: number; expiresAt: number } => ({ now, expiresAt: now + EXPORT_KEPT * DAY })

const reasonOf = (error: unknown): ExportReason => ((error as { code?: unknown }).code === 'ENOSPC' ? 'noRoom' : 'fault')

export function createRun(
  platform: Platform,
  kindNamed: (name: string) => ExportKind | undefined,
  files: KeptFiles,
  zoneOf: (scope: Scope) => string,
): Run {
  const db = platform.db as unknown as Database<ExportTables>

  /** Notes who is in the file as read by whoever asked for it. */
  const noteRead = (
    { call }: ExportKind,
    { userId, account, operator, userKind, ip, parkId }: data.TakenTask,
    subjects: readonly string[],
  ): void => platform.audit.read(call, { userId, account, operator, kind: userKind, park: { id: parkId } } as Session, ip, subjects)

  /** @throws Overtaken, what aborts the signal, or any fault; nothing is left behind */
  async function make(task: data.TakenTask, kind: ExportKind, signal: AbortSignal): Promise<void> {
    const { id, attempt, parkId, language, format } = task
    const { wish, scope } = await openWish(platform.crypto, parkId, task)
    const mask = task.masked ? maskerOf(kind.row) : null
    const words = fileTexts(language).exports
    let [rows, done, fileIds]: [number, number, readonly string[]] = [0, 0, []]

    async function note(): Promise<void> {
      signal.throwIfAborted()
      if (!(await data.saveProgress(scope, db, id, attempt, { done, fileIds }))) throw new Overtaken()
    }
    async function* read(): AsyncGenerator<unknown> {
      for await (const page of kind.pages(scope, wish)) {
        const taken = page.slice(0, SERVER_EXPORT_RECORDS - rows)
        noteRead(kind, task, [...new Set(taken.flatMap((row) => kind.subjectsOf(row)))])
        for (const row of taken) yield mask === null ? row : mask(row)
        rows += taken.length
        if (format !== 'zip') done = rows
        await note()
        if (rows >= SERVER_EXPORT_RECORDS) return
      }
    }

    const now = platform.clock.now()
    const sheet = { name: kind.title(language), columns: kind.columns(language, wish), rows: read(), clock: parkClock(zoneOf(scope), now) }
    const pictures = {
      words: { column: words.picture, folder: words.pictures },
      idsOf: (row: unknown) => kind.picturesOf(row),
      async load(fileId: string) {
        try {
          return await platform.storage.load(scope, fileId, 'full')
        } catch (error) {
          // One that cannot be read must not keep all others back.
          platform.log.warn({ err: error, file: fileId }, 'a picture could not be exported')
          return null
        }
      },
      packed: (count: number) => void (done = count),
    }
    const source: Readable = format === 'zip' ? picturedFile(sheet, pictures, now) : sheetFile(sheet, format, now)
    const file = await files.write(scope, source, (pieces) => {
      fileIds = pieces
      return note()
    })
    // After a fault the pieces stay: whether it committed is not known. They are this task's, whoever takes it next.
    const kept = await platform.transaction(async (tx: Tx<ExportTables>) => {
      if (!(await data.finishTask(scope, tx, id, attempt, { ...file, rows }, keptFrom(platform.clock.now())))) return false
      await files.keep(tx as OpenTransaction, scope, file.fileIds)
      return true
    })
    if (kept) return
    await files.discard(file.fileIds)
    throw new Overtaken()
  }

  /** The next task, as this attempt's; null where none is to be made. */
  async function take(): Promise<data.TakenTask | null> {
    for (;;) {
      const next = await data.findNextUnscoped(db)
      if (next === undefined) return null
      const scope: Scope = { parkId: next.parkId }
      const taken = await platform.transaction(async (tx: Tx<ExportTables>) => {
        await data.holdBeginning(scope, tx)
        return data.takeTask(scope, tx, next.id, newId())
      })
      if (taken !== undefined) return taken
    }
  }

  async function run({ signal }: WorkRun): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const task = await take()
      if (task === null) return
      try {
        await files.discard(task.fileIds)
        const kind = kindNamed(task.kind)
        if (kind === undefined) throw new Error(`nobody knows how to export ${task.kind}`)
        await make(task, kind, signal)
      } catch (error) {
        if (signal.aborted || isDatabaseFault(error)) throw error
        if (error instanceof Overtaken) continue
        platform.log.error({ err: error, task: task.id, kind: task.kind }, 'an export ended with a fault')
        await data.failAttempt({ parkId: task.parkId }, db, task.id, task.attempt, reasonOf(error), keptFrom(platform.clock.now()))
      }
    }
  }

  platform.work.define({ kind: RUN, run })

  const request = async (tx: OpenTransaction): Promise<void> => void (await platform.work.request(tx, OWNER, RUN, {}))
  return {
    request,
    async goOn() {
      const work = await platform.work.latest(OWNER, RUN)
      if (work?.state === 'waiting' || work?.state === 'running') return
      if ((await data.findNextUnscoped(db)) !== undefined) await platform.transaction((tx) => request(tx as unknown as OpenTransaction))
    },
  }
}
