/**
 * Creation of the requested files: one at a time in each park, in order of their requests, as work that survives a crash. The remains of an
 * interrupted attempt are deleted, and the file is made again from its start.
 */
import type { Readable } from 'node:stream'
import { EXPORT_KEPT, SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import type { ExportReason } from '@gatehouse/contract/exports/calls'
import type { Platform } from '../../platform/context.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { ExportKind } from '../../platform/export-kind.ts'
import { newId } from '../../platform/database/ids.ts'
import type { KeptFiles } from '../../platform/storage/kept-file.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import { actorOf, type Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { parkClock } from '../organisation/index.ts'
import * as data from './data.ts'
import { picturedFile, sheetFile } from './pack.ts'
import { openOptions } from './stored-options.ts'

const RUN = 'exports.make'
const DAY = 86_400_000

/** The task was stopped, deleted or restarted: nothing of this attempt may be kept. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface Run {
  /** Request the work, in the transaction that makes a task wait. */
  request(tx: Transaction, scope: Scope): Promise<void>
  /** Request the work if a task of the park waits and no work is running. */
  goOn(scope: Scope): Promise<void>
  /** Do the same for every park. */
  goOnEverywhere(): Promise<void>
}

/** When something that happened now is removed. */
export const keptFrom = (now: number): { now: number; expiresAt: number } => ({ now, expiresAt: now + EXPORT_KEPT * DAY })

/** What stores a file says why in the cause of its error. */
function reasonOf(error: unknown): ExportReason {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (code === 'ENOSPC') return 'noRoom'
  return cause === undefined ? 'fault' : reasonOf(cause)
}

/** Return a picture; null for one that cannot be read, which must not block all others. */
async function loadPicture({ storage, log }: Pick<Platform, 'storage' | 'log'>, scope: Scope, fileId: string): Promise<Buffer | null> {
  try {
    return await storage.load(scope, fileId, 'full')
  } catch (error) {
    if (isPassingFault(error)) throw error
    log.warn({ err: error, file: fileId }, 'a picture could not be exported')
    return null
  }
}

export function createRun(
  platform: Platform,
  kindNamed: (name: string) => ExportKind | undefined,
  files: KeptFiles,
  zoneOf: (scope: Scope) => string,
): Run {
  const db = platform.db

  /** Record who is in the file as read by the user who requested it. */
  const noteRead = ({ call }: ExportKind, task: data.RunningTask, subjects: readonly string[]): void =>
    platform.audit.read(call, { ...actorOf(task), scope: { parkId: task.parkId } }, task.ip, subjects)

  /** @throws Overtaken, what aborts the signal, or any fault; nothing is left behind */
  async function make(task: data.RunningTask, kind: ExportKind, signal: AbortSignal): Promise<void> {
    const { id, attempt, parkId, language, format } = task
    const { options, scope } = await openOptions(platform.crypto, parkId, task)
    const mask = task.masked ? maskerOf(kind.row) : null
    const words = fileTexts(language).exports
    let [rows, done, fileIds]: [number, number, readonly string[]] = [0, 0, []]

    async function note(): Promise<void> {
      signal.throwIfAborted()
      if (!(await data.saveProgress(scope, db, id, attempt, { done, fileIds }))) throw new Overtaken()
    }
    async function* read(): AsyncGenerator<unknown> {
      for await (const page of kind.pages(scope, options)) {
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
    const sheet = {
      name: kind.title(language),
      columns: kind.columns(language, options),
      rows: read(),
      clock: parkClock(zoneOf(scope), now),
    }
    const pictures = {
      words: { column: words.picture, folder: words.pictures },
      idsOf: (row: unknown) => kind.picturesOf(row),
      load: (fileId: string) => loadPicture(platform, scope, fileId),
      packed: (count: number) => void (done = count),
    }
    const source: Readable = format === 'zip' ? picturedFile(sheet, pictures, now) : sheetFile(sheet, format, now)
    const file = await files.write(scope, source, (pieces) => {
      fileIds = pieces
      return note()
    })
    // After an error the pieces stay, because the transaction may have committed. They belong to the task, whichever attempt takes it next.
    const kept = await platform.transaction(async (tx) => {
      if (!(await data.finishTask(scope, tx, id, attempt, { ...file, rows }, keptFrom(platform.clock.now())))) return false
      await files.keep(tx, scope, file.fileIds)
      return true
    })
    if (kept) return
    await files.discard(file.fileIds)
    throw new Overtaken()
  }

  /** Take the park's next task for this attempt; null if there is none. */
  async function take(scope: Scope): Promise<data.RunningTask | null> {
    for (;;) {
      const next = await data.findNext(scope, db)
      if (next === null) return null
      const taken = await platform.transaction(async (tx) => {
        await data.holdBeginning(scope, tx)
        return data.takeTask(scope, tx, next, newId())
      })
      if (taken !== undefined) return taken
    }
  }

  async function run({ scope, signal, checkpoint }: WorkRun): Promise<void> {
    for (;;) {
      // Between two files nothing is lost.
      checkpoint()
      const task = await take(scope)
      if (task === null) return
      try {
        await files.discard(task.fileIds)
        const kind = kindNamed(task.kind)
        if (kind === undefined) throw new Error(`nobody knows how to export ${task.kind}`)
        await make(task, kind, signal)
      } catch (error) {
        if (signal.aborted || isPassingFault(error)) throw error
        if (error instanceof Overtaken) continue
        platform.log.error({ err: error, task: task.id, kind: task.kind }, 'an export ended with a fault')
        await data.failAttempt(scope, db, task.id, task.attempt, reasonOf(error), keptFrom(platform.clock.now()))
      }
    }
  }

  platform.work.define({ kind: RUN, run, startsOver: true })

  const request = async (tx: Transaction, scope: Scope): Promise<void> => void (await platform.work.request(tx, scope, RUN, {}))
  async function goOn(scope: Scope): Promise<void> {
    const work = await platform.work.latest(scope, RUN)
    if (work?.state === 'waiting' || work?.state === 'running') return
    if ((await data.findNext(scope, db)) !== null) await platform.transaction((tx) => request(tx, scope))
  }
  return {
    request,
    goOn,
    async goOnEverywhere() {
      for (const parkId of await data.findParksWaitingUnscoped(db)) await goOn({ parkId })
    },
  }
}
