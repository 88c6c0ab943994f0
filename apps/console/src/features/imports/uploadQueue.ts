/** Files on their way to the server, a few at a time. One that fails is named and stops no other. */

/** Files sent at once: one that waits for the server leaves the line to another. */
const AT_ONCE = 4
/** Listeners hear of progress at most this often; milliseconds. */
const PACE_MS = 200

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
export interface Upload {
  id: number
  file: File
  state: UploadState
  /** Bytes sent so far. */
  sent: number
  /** Why it failed, in words. */
  reason: string | undefined
  /** Sending it again may help: it was not refused for what it is. */
  again: boolean
}

/** A file that was not taken. */
export class NotTaken extends Error {
  readonly again: boolean

  constructor(reason: string, again: boolean) {
    super(reason)
    this.again = again
  }
}

export interface UploadQueue {
  /** As of the last change; the same array until the next one. */
  uploads: () => readonly Upload[]
  subscribe: (listener: () => void) => () => void
  /** @param refused why some are not even sent */
  add: (files: readonly { file: File; refused?: string }[]) => void
  cancel: (id: number) => void
  cancelAll: () => void
  retry: (ids: readonly number[]) => void
  /** Forgets what is over. */
  clear: () => void
}

type Send = (file: File, signal: AbortSignal, sent: (bytes: number) => void) => Promise<void>

/** @param send rejects with `NotTaken` @param order lower goes first */
export function uploadQueue(send: Send, order: (file: File) => number = () => 0): UploadQueue {
  let all: Upload[] = []
  let shown: readonly Upload[] = []
  let number = 0
  const underWay = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    shown = all.map((one) => ({ ...one }))
    for (const listener of listeners) listener()
  }
  const tellSoon = (): void => void (timer ??= setTimeout(tell, PACE_MS))

  function fill(): void {
    while (underWay.size < AT_ONCE) {
      const next = all.find(({ state }) => state === 'waiting')
      if (!next) break
      void run(next)
    }
  }

  async function run(upload: Upload): Promise<void> {
    const controller = new AbortController()
    underWay.set(upload.id, controller)
    Object.assign(upload, { state: 'sending', sent: 0, reason: undefined })
    try {
      await send(upload.file, controller.signal, (bytes) => {
        upload.sent = Math.min(bytes, upload.file.size)
        tellSoon()
      })
      Object.assign(upload, { state: 'done', sent: upload.file.size })
    } catch (error) {
      if (controller.signal.aborted) upload.state = 'cancelled'
      else Object.assign(upload, { state: 'failed', reason: (error as Error).message, again: !(error instanceof NotTaken) || error.again })
    } finally {
      underWay.delete(upload.id)
      fill()
      // The last one is told at once: what comes next waits for it.
      if (underWay.size === 0) tell()
      else tellSoon()
    }
  }

  function stop(upload: Upload): void {
    underWay.get(upload.id)?.abort()
    if (upload.state === 'waiting') upload.state = 'cancelled'
  }

  return {
    uploads: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add(files) {
      const added = files.map(({ file, refused }): Upload => ({
        id: ++number,
        file,
        state: refused === undefined ? 'waiting' : 'failed',
        sent: 0,
        reason: refused,
        again: false,
      }))
      all = [...all, ...added.toSorted((a, b) => order(a.file) - order(b.file))]
      fill()
      tell()
    },
    cancel(id) {
      all.filter((one) => one.id === id).forEach(stop)
      tell()
    },
    cancelAll() {
      all.forEach(stop)
      tell()
    },
    retry(ids) {
      for (const one of all) if (ids.includes(one.id) && (one.state === 'failed' || one.state === 'cancelled')) one.state = 'waiting'
      fill()
      tell()
    },
    clear() {
      all = all.filter(({ state }) => state === 'waiting' || state === 'sending')
      tell()
    },
  }
}

export interface UploadSum {
  /** Files handed in, those refused at once left out of `bytes`. */
  files: number
  done: number
  failed: number
  cancelled: number
  /** Waiting or on their way. */
  left: number
  bytes: number
  sent: number
}

export function sumOf(uploads: readonly Upload[]): UploadSum {
  const sum: UploadSum = { files: uploads.length, done: 0, failed: 0, cancelled: 0, left: 0, bytes: 0, sent: 0 }
  for (const { state, file, sent } of uploads) {
    if (state === 'done' || state === 'failed' || state === 'cancelled') sum[state]++
    else sum.left++
    if (state === 'failed' || state === 'cancelled') continue
    sum.bytes += file.size
    sum.sent += sent
  }
  return sum
}
